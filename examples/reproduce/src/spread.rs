//! Means and deviations over seeds.

use super::rounding::{down, shown, up};

/// The mean; none of nothing.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    let n = numbers.len() as f64;
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / n)
}

/// The standard deviation of a sample; none of fewer than two numbers.
pub fn deviation(numbers: &[f64]) -> Option<f64> {
    let mean = mean(numbers).filter(|_| numbers.len() > 1)?;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    Some((squares / (numbers.len() - 1) as f64).sqrt())
}

/// `-6.01 ± 0.01`, rounded against us; the deviation needs two numbers.
pub fn shown_spread(numbers: &[f64]) -> String {
    match (mean(numbers), deviation(numbers)) {
        (None, _) => String::new(),
        (Some(mean), None) => shown(down(mean)),
        (Some(mean), Some(deviation)) => {
            format!("{} ± {}", shown(down(mean)), shown(up(deviation)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_need_two() {
        assert_eq!((mean(&[]), deviation(&[1.0])), (None, None));
        assert_eq!(mean(&[1.0, 3.0]), Some(2.0));
        assert_eq!(deviation(&[1.0, 3.0]), Some(2f64.sqrt()));
    }
}
