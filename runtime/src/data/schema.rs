//! stub
use pelton_compiler::circuit::Domain;
#[derive(Clone, Debug)]
pub struct Schema {
    pub columns: Vec<SchemaColumn>,
}
#[derive(Clone, Debug)]
pub struct SchemaColumn {
    pub name: Option<String>,
    pub variable: String,
    pub domain: Domain,
}
impl Schema {
    pub fn is_array(&self) -> bool {
        self.columns.iter().all(|c| c.name.is_none())
    }
    pub fn array(&self) -> &str {
        "x"
    }
    pub fn reference(&self, c: usize) -> String {
        if self.is_array() {
            format!("x[{c}]")
        } else {
            self.columns[c].variable.clone()
        }
    }
    pub fn declarations(&self) -> String {
        if self.is_array() {
            return format!(
                "var x[0..{}] : {};\n",
                self.columns.len(),
                self.columns[0].domain
            );
        }
        self.columns
            .iter()
            .map(|c| format!("var {} : {};\n", c.variable, c.domain))
            .collect()
    }
}
impl SchemaColumn {
    pub fn shown(&self) -> &str {
        &self.variable
    }
}
