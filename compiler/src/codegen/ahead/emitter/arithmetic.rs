//! What generated code computes: each method is one operation of Rust.

use super::{
    FloatBits, GeneratedType, IrEmitter, IrNumber, MemoryPointer, NumberKind, NumberShape,
};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
use std::mem::MaybeUninit;

fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Shapes.
impl IrEmitter<'_, '_> {
    /// The one number of a shape.
    pub(super) fn one(&mut self, kind: NumberKind, shape: NumberShape) -> Value {
        match (shape, kind) {
            (NumberShape::One(value), _) => value,
            (NumberShape::Known(bits), NumberKind::Float { bytes: 4 }) => {
                self.b.ins().f32const(f32::from_bits(bits as u32))
            }
            (NumberShape::Known(bits), NumberKind::Float { .. }) => {
                self.b.ins().f64const(f64::from_bits(bits))
            }
            (NumberShape::Known(bits), _) => {
                let machine = kind.machine().expect("nothing has no value");
                self.b.ins().iconst(machine, bits as i64)
            }
            (shape, _) => unreachable!("{shape:?} where one number is wanted"),
        }
    }

    /// The vectors of four numbers; short ones have one, given twice.
    pub(super) fn parts(&mut self, kind: NumberKind, shape: NumberShape) -> [Value; 2] {
        match shape {
            NumberShape::Pairs(values) => values,
            NumberShape::Four(value) => [value; 2],
            NumberShape::Known(bits) => {
                let bytes = match kind {
                    NumberKind::Truth => bits.wrapping_neg().to_le_bytes().repeat(2),
                    _ if kind.is_short() => (bits as u32).to_le_bytes().repeat(4),
                    _ => bits.to_le_bytes().repeat(2),
                };
                let constant = self.b.func.dfg.constants.insert(bytes.into());
                [self.b.ins().vconst(kind.vector(), constant); 2]
            }
            shape => {
                let value = self.one(kind, shape);
                [self.b.ins().splat(kind.vector(), value); 2]
            }
        }
    }

    /// Vectors as a shape again.
    fn joined(&self, values: [Value; 2]) -> NumberShape {
        match self.b.func.dfg.value_type(values[0]).lane_count() {
            4 => NumberShape::Four(values[0]),
            _ => NumberShape::Pairs(values),
        }
    }

    /// One of four numbers.
    pub(super) fn lane(&mut self, shape: NumberShape, lane: u8) -> NumberShape {
        match shape {
            NumberShape::Four(value) => NumberShape::One(self.b.ins().extractlane(value, lane)),
            NumberShape::Pairs(values) => {
                let value = values[usize::from(lane / 2)];
                NumberShape::One(self.b.ins().extractlane(value, lane % 2))
            }
            NumberShape::Row(first, step) => {
                let step = step.unwrap_or_else(|| self.b.ins().iconst(types::I64, 1));
                let offset = self.b.ins().imul_imm_s(step, i64::from(lane));
                NumberShape::One(self.b.ins().iadd(first, offset))
            }
            same => same,
        }
    }

    pub(super) fn collect(&mut self, kind: NumberKind, values: [Value; 4]) -> NumberShape {
        let machine = kind.vector();
        let mut parts = values.chunks(machine.lane_count() as usize).map(|values| {
            let first = self.b.ins().splat(machine, values[0]);
            let others = (1..).zip(&values[1..]);
            others.fold(first, |vector, (lane, &value)| {
                self.b.ins().insertlane(vector, value, lane)
            })
        });
        let first = parts.next().expect("there are four");
        let second = parts.next().unwrap_or(first);
        self.joined([first, second])
    }

    fn map(
        &mut self,
        kind: NumberKind,
        shape: NumberShape,
        op: impl Fn(&mut FunctionBuilder, Value) -> Value,
    ) -> NumberShape {
        if shape.is_wide() {
            let values = self.parts(kind, shape).map(|value| op(&mut self.b, value));
            return self.joined(values);
        }
        let value = self.one(kind, shape);
        NumberShape::One(op(&mut self.b, value))
    }

    fn map2(
        &mut self,
        kind: NumberKind,
        (a, b): (NumberShape, NumberShape),
        op: impl Fn(&mut FunctionBuilder, Value, Value) -> Value,
    ) -> NumberShape {
        if a.is_wide() || b.is_wide() {
            let (a, b) = (self.parts(kind, a), self.parts(kind, b));
            let first = op(&mut self.b, a[0], b[0]);
            let is_short = self.b.func.dfg.value_type(a[0]).lane_count() == 4;
            let second = if is_short {
                first
            } else {
                op(&mut self.b, a[1], b[1])
            };
            return self.joined([first, second]);
        }
        let (a, b) = (self.one(kind, a), self.one(kind, b));
        NumberShape::One(op(&mut self.b, a, b))
    }

    /// The same bits as another type.
    fn reinterpret(&mut self, machine: Type, value: Value) -> Value {
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(machine, flags, value)
    }

    /// The low halves of four long numbers.
    fn narrow(&mut self, pairs: [Value; 2]) -> Value {
        self.words(pairs, [0, 2, 4, 6])
    }

    /// Picks four of the eight words of two vectors.
    fn words(&mut self, pairs: [Value; 2], words: [u8; 4]) -> Value {
        let bytes = words
            .iter()
            .flat_map(|word| (0..4).map(move |byte| 4 * word + byte));
        let mask: Vec<u8> = bytes.collect();
        let mask = self.b.func.dfg.immediates.push(mask.into());
        let [a, b] = pairs.map(|pair| self.reinterpret(types::I8X16, pair));
        let picked = self.b.ins().shuffle(a, b, mask);
        self.reinterpret(types::I32X4, picked)
    }
}

macro_rules! operations {
    ($($name:ident: $float:ident, $signed:ident, $unsigned:ident;)*) => {
        impl IrEmitter<'_, '_> {
            $(pub(crate) fn $name<T: GeneratedType>(&mut self, a: IrNumber<T>, b: IrNumber<T>) -> IrNumber<T> {
                if let Some(shape) = self.of_row(stringify!($name), T::KIND, (a.shape, b.shape)) {
                    return IrNumber::of(shape);
                }
                IrNumber::of(self.map2(T::KIND, (a.shape, b.shape), |builder, a, b| match T::KIND {
                    NumberKind::Float { .. } => builder.ins().$float(a, b),
                    NumberKind::Integer { is_signed: true, .. } => builder.ins().$signed(a, b),
                    _ => builder.ins().$unsigned(a, b),
                }))
            })*
        }
    };
}

operations! {
    add: fadd, iadd, iadd;
    sub: fsub, isub, isub;
    mul: fmul, imul, imul;
    div: fdiv, sdiv, udiv;
    rem: fdiv, srem, urem;
    and: band, band, band;
    or: bor, bor, bor;
    xor: bxor, bxor, bxor;
}

macro_rules! comparisons {
    ($($name:ident: $float:ident, $signed:ident, $unsigned:ident;)*) => {
        impl IrEmitter<'_, '_> {
            $(pub(crate) fn $name<T: GeneratedType>(&mut self, a: IrNumber<T>, b: IrNumber<T>) -> IrNumber<bool> {
                IrNumber::of(self.map2(T::KIND, (a.shape, b.shape), |builder, a, b| match T::KIND {
                    NumberKind::Float { .. } => builder.ins().fcmp(FloatCC::$float, a, b),
                    NumberKind::Integer { is_signed: true, .. } => {
                        builder.ins().icmp(IntCC::$signed, a, b)
                    }
                    _ => builder.ins().icmp(IntCC::$unsigned, a, b),
                }))
            })*
        }
    };
}

comparisons! {
    eq: Equal, Equal, Equal;
    ne: NotEqual, NotEqual, NotEqual;
    lt: LessThan, SignedLessThan, UnsignedLessThan;
    le: LessThanOrEqual, SignedLessThanOrEqual, UnsignedLessThanOrEqual;
    gt: GreaterThan, SignedGreaterThan, UnsignedGreaterThan;
    ge: GreaterThanOrEqual, SignedGreaterThanOrEqual, UnsignedGreaterThanOrEqual;
}

/// Numbers.
impl IrEmitter<'_, '_> {
    /// What sums and products with an index of `lanes` are, and those that need no
    /// instruction or a cheaper one.
    fn of_row(
        &mut self,
        name: &str,
        kind: NumberKind,
        (a, b): (NumberShape, NumberShape),
    ) -> Option<NumberShape> {
        match (name, a, b) {
            ("add", NumberShape::Row(first, step), other)
            | ("add", other, NumberShape::Row(first, step)) => {
                let other = self.one(kind, other);
                Some(NumberShape::Row(self.b.ins().iadd(first, other), step))
            }
            ("mul", NumberShape::Row(first, step), other)
            | ("mul", other, NumberShape::Row(first, step)) => {
                let other = self.one(kind, other);
                let step = step.map_or(other, |step| self.b.ins().imul(step, other));
                Some(NumberShape::Row(
                    self.b.ins().imul(first, other),
                    Some(step),
                ))
            }
            ("mul", NumberShape::One(x), NumberShape::Known(n))
                if !kind.is_float() && n.is_power_of_two() =>
            {
                Some(NumberShape::One(
                    self.b.ins().ishl_imm_u(x, i64::from(n.trailing_zeros())),
                ))
            }
            _ => None,
        }
    }

    pub(crate) fn shl<T: GeneratedType, N: GeneratedType>(
        &mut self,
        x: IrNumber<T>,
        n: IrNumber<N>,
    ) -> IrNumber<T> {
        let n = self.one(N::KIND, n.shape);
        IrNumber::of(self.map(T::KIND, x.shape, |builder, x| builder.ins().ishl(x, n)))
    }

    pub(crate) fn shr<T: GeneratedType, N: GeneratedType>(
        &mut self,
        x: IrNumber<T>,
        n: IrNumber<N>,
    ) -> IrNumber<T> {
        let n = self.one(N::KIND, n.shape);
        IrNumber::of(self.map(T::KIND, x.shape, |builder, x| match T::KIND {
            NumberKind::Integer {
                is_signed: true, ..
            } => builder.ins().sshr(x, n),
            _ => builder.ins().ushr(x, n),
        }))
    }

    pub(crate) fn neg<T: GeneratedType>(&mut self, x: IrNumber<T>) -> IrNumber<T> {
        IrNumber::of(self.map(T::KIND, x.shape, |builder, x| {
            if T::KIND.is_float() {
                builder.ins().fneg(x)
            } else {
                builder.ins().ineg(x)
            }
        }))
    }

    pub(crate) fn not<T: GeneratedType>(&mut self, x: IrNumber<T>) -> IrNumber<T> {
        let is_one_truth = T::KIND == NumberKind::Truth && !x.shape.is_wide();
        IrNumber::of(self.map(T::KIND, x.shape, |builder, x| {
            if is_one_truth {
                builder.ins().bxor_imm_u(x, 1)
            } else {
                builder.ins().bnot(x)
            }
        }))
    }

    pub(crate) fn abs<T: GeneratedType>(&mut self, x: IrNumber<T>) -> IrNumber<T> {
        IrNumber::of(self.map(T::KIND, x.shape, |builder, x| builder.ins().fabs(x)))
    }

    pub(crate) fn is_nan<T: GeneratedType>(&mut self, x: IrNumber<T>) -> IrNumber<bool> {
        self.ne(x, x)
    }

    pub(crate) fn is_finite(&mut self, x: IrNumber<f64>) -> IrNumber<bool> {
        let (size, infinity) = (self.abs(x), self.constant(f64::INFINITY));
        self.lt(size, infinity)
    }

    pub(crate) fn is_null<P: MemoryPointer>(&mut self, pointer: IrNumber<P>) -> IrNumber<bool> {
        let null = IrNumber::of(NumberShape::Known(0));
        self.eq(pointer, null)
    }

    pub(crate) fn ln(&mut self, x: IrNumber<f64>) -> IrNumber<f64> {
        self.call_c("log", &[x])
    }

    pub(crate) fn ln_1p(&mut self, x: IrNumber<f64>) -> IrNumber<f64> {
        self.call_c("log1p", &[x])
    }

    pub(crate) fn log2(&mut self, x: IrNumber<f64>) -> IrNumber<f64> {
        self.call_c("log2", &[x])
    }

    pub(crate) fn exp(&mut self, x: IrNumber<f64>) -> IrNumber<f64> {
        self.call_c("exp", &[x])
    }

    pub(crate) fn sin(&mut self, x: IrNumber<f64>) -> IrNumber<f64> {
        self.call_c("sin", &[x])
    }

    /// Rounded once.
    pub(crate) fn mul_add(
        &mut self,
        x: IrNumber<f64>,
        y: IrNumber<f64>,
        z: IrNumber<f64>,
    ) -> IrNumber<f64> {
        self.call_c("fma", &[x, y, z])
    }

    /// The bits of a float as an integer, or back.
    pub(crate) fn bits<F: FloatBits>(&mut self, x: IrNumber<F>) -> IrNumber<F::Same> {
        self.as_bits(F::KIND, <F::Same>::KIND, x.shape)
    }

    fn as_bits<T: GeneratedType>(
        &mut self,
        from: NumberKind,
        to: NumberKind,
        shape: NumberShape,
    ) -> IrNumber<T> {
        IrNumber::of(if shape.is_wide() {
            let values = self.parts(from, shape);
            let values = values.map(|value| self.reinterpret(to.vector(), value));
            self.joined(values)
        } else {
            let machine = to.machine().expect("numbers have bits");
            let value = self.one(from, shape);
            NumberShape::One(self.reinterpret(machine, value))
        })
    }

    /// One of two numbers, both of which are computed.
    pub(crate) fn choose<T: GeneratedType>(
        &mut self,
        which: IrNumber<bool>,
        yes: IrNumber<T>,
        no: IrNumber<T>,
    ) -> IrNumber<T> {
        if T::KIND == NumberKind::Nothing {
            return yes;
        }
        if !which.shape.is_wide() {
            let which = self.one(NumberKind::Truth, which.shape);
            return IrNumber::of(
                self.map2(T::KIND, (yes.shape, no.shape), |builder, yes, no| {
                    builder.ins().select(which, yes, no)
                }),
            );
        }
        let is_or_nothing = matches!(no.shape, NumberShape::Known(0));
        let (yes, no) = (
            self.parts(T::KIND, yes.shape),
            self.parts(T::KIND, no.shape),
        );
        let masks = match (which.shape, T::KIND.is_short()) {
            (NumberShape::Pairs(masks), true) => [self.narrow(masks); 2],
            (which, _) => self.parts(NumberKind::Truth, which),
        };
        let machine = self.b.func.dfg.value_type(yes[0]);
        let chosen = [0, 1].map(|at| {
            let mask = self.reinterpret(machine, masks[at]);
            if is_or_nothing {
                self.b.ins().band(mask, yes[at])
            } else {
                self.b.ins().bitselect(mask, yes[at], no[at])
            }
        });
        IrNumber::of(self.joined(chosen))
    }

    /// `as`
    pub(crate) fn cast<A: GeneratedType, B: GeneratedType>(
        &mut self,
        x: IrNumber<A>,
    ) -> IrNumber<B> {
        let same = match (A::KIND, B::KIND) {
            (NumberKind::Integer { bytes: a, .. }, NumberKind::Integer { bytes: b, .. }) => a == b,
            (a, b) => a == b,
        };
        IrNumber::of(match x.shape {
            shape if same => shape,
            NumberShape::Pairs(pairs) => NumberShape::Four(match B::KIND {
                NumberKind::Float { .. } => {
                    let halves = pairs.map(|pair| self.b.ins().fvdemote(pair));
                    let four = self.words(halves, [0, 1, 4, 5]);
                    self.reinterpret(types::F32X4, four)
                }
                _ => self.narrow(pairs),
            }),
            shape => {
                let value = self.one(A::KIND, shape);
                NumberShape::One(self.convert(A::KIND, B::KIND, value))
            }
        })
    }

    fn convert(&mut self, from: NumberKind, to: NumberKind, x: Value) -> Value {
        let machine = to.machine().expect("numbers are cast to numbers");
        let ins = self.b.ins();
        match (from, to) {
            (NumberKind::Float { .. }, NumberKind::Float { bytes: 4 }) => ins.fdemote(machine, x),
            (NumberKind::Float { .. }, NumberKind::Float { .. }) => ins.fpromote(machine, x),
            (
                NumberKind::Float { .. },
                NumberKind::Integer {
                    is_signed: true, ..
                },
            ) => ins.fcvt_to_sint_sat(machine, x),
            (NumberKind::Float { .. }, _) => ins.fcvt_to_uint_sat(machine, x),
            (
                NumberKind::Integer {
                    is_signed: true, ..
                },
                NumberKind::Float { .. },
            ) => ins.fcvt_from_sint(machine, x),
            (_, NumberKind::Float { .. }) => ins.fcvt_from_uint(machine, x),
            (NumberKind::Integer { bytes: 8, .. }, _) => ins.ireduce(machine, x),
            (
                NumberKind::Integer {
                    is_signed: true, ..
                },
                _,
            ) => ins.sextend(machine, x),
            _ => ins.uextend(machine, x),
        }
    }
}

/// Memory.
impl IrEmitter<'_, '_> {
    /// A pointer so many elements further.
    pub(crate) fn offset<P: MemoryPointer>(
        &mut self,
        pointer: IrNumber<P>,
        n: IrNumber<usize>,
    ) -> IrNumber<*const P::To> {
        let size = size_of::<P::To>() as u64;
        let base = self.one(u64::KIND, pointer.shape);
        IrNumber::of(match n.shape {
            NumberShape::Known(0) => pointer.shape,
            NumberShape::Row(first, step) => {
                let mut scaled = |x| {
                    let scaled = self.mul(
                        IrNumber::<u64>::of(NumberShape::One(x)),
                        IrNumber::of(NumberShape::Known(size)),
                    );
                    self.one(u64::KIND, scaled.shape)
                };
                let (first, step) = (scaled(first), step.map(&mut scaled));
                NumberShape::Row(self.b.ins().iadd(base, first), step)
            }
            shape => {
                let bytes = self.mul(
                    IrNumber::<u64>::of(shape),
                    IrNumber::of(NumberShape::Known(size)),
                );
                let bytes = self.one(u64::KIND, bytes.shape);
                NumberShape::One(self.b.ins().iadd(base, bytes))
            }
        })
    }

    pub(crate) fn cast_pointer<P: MemoryPointer, B>(
        &mut self,
        pointer: IrNumber<P>,
    ) -> IrNumber<*const B> {
        IrNumber::of(pointer.shape)
    }

    /// A pointer to a part of what another one points to.
    pub(crate) fn field<P: MemoryPointer, F>(
        &mut self,
        pointer: IrNumber<P>,
        part: impl FnOnce(*const P::To) -> *const F,
    ) -> IrNumber<*const F> {
        let whole = MaybeUninit::<P::To>::uninit();
        let offset = part(whole.as_ptr()).addr() - whole.as_ptr().addr();
        if offset == 0 {
            return IrNumber::of(pointer.shape);
        }
        let base = self.one(u64::KIND, pointer.shape);
        IrNumber::of(NumberShape::One(
            self.b.ins().iadd_imm_s(base, offset as i64),
        ))
    }

    pub(crate) fn load<P: MemoryPointer>(
        &mut self,
        pointer: IrNumber<P>,
    ) -> IrNumber<<P::To as GeneratedType>::As>
    where
        P::To: GeneratedType,
    {
        let kind = <P::To>::KIND;
        let machine = kind.machine().expect("nothing is in no memory");
        IrNumber::of(match pointer.shape {
            NumberShape::Row(first, None) => {
                let offsets = if kind.is_short() { [0, 0] } else { [0, 16] };
                let ins = |at| self.b.ins().load(kind.vector(), flags(), first, at);
                let values = offsets.map(ins);
                self.joined(values)
            }
            NumberShape::Row(mut place, Some(step)) => {
                let values = [(); 4].map(|()| {
                    let value = self.b.ins().load(machine, flags(), place, 0);
                    place = self.b.ins().iadd(place, step);
                    value
                });
                self.collect(kind, values)
            }
            shape => {
                let place = self.one(u64::KIND, shape);
                NumberShape::One(self.b.ins().load(machine, flags(), place, 0))
            }
        })
    }

    pub(crate) fn store<P: MemoryPointer>(
        &mut self,
        pointer: IrNumber<P>,
        value: IrNumber<<P::To as GeneratedType>::As>,
    ) -> IrNumber<()>
    where
        P::To: GeneratedType,
    {
        let kind = <P::To>::KIND;
        self.assert_no_choice();
        match pointer.shape {
            NumberShape::Row(first, None) => {
                let parts = self.parts(kind, value.shape);
                let n_parts = if kind.is_short() { 1 } else { 2 };
                for (part, at) in parts.into_iter().zip([0, 16]).take(n_parts) {
                    self.b.ins().store(flags(), part, first, at);
                }
            }
            shape => {
                let place = self.one(u64::KIND, shape);
                let value = self.one(kind, value.shape);
                self.b.ins().store(flags(), value, place, 0);
            }
        }
        self.nothing()
    }

    /// The same number four times, ready for `lanes`.
    pub(super) fn everywhere<T: GeneratedType>(&mut self, x: IrNumber<T>) -> IrNumber<T> {
        let parts = self.parts(T::KIND, x.shape);
        IrNumber::of(self.joined(parts))
    }

    /// Whether something holds for any of four.
    pub(super) fn any(&mut self, which: IrNumber<bool>) -> IrNumber<bool> {
        let NumberShape::Pairs([low, high]) = which.shape else {
            return which;
        };
        let both = self.b.ins().bor(low, high);
        let bits = self.b.ins().vhigh_bits(types::I64, both);
        let zero = self.b.ins().iconst(types::I64, 0);
        IrNumber::of(NumberShape::One(self.b.ins().icmp(
            IntCC::NotEqual,
            bits,
            zero,
        )))
    }
}
