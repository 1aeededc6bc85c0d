//! What generated code computes: each method is one operation of Rust.

use super::{Bits, Emitter, Ir, Kind, Pointer, Scalar, Shape};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
use std::mem::MaybeUninit;

fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Shapes.
impl Emitter<'_, '_> {
    /// The one number of a shape.
    pub(super) fn one(&mut self, kind: Kind, shape: Shape) -> Value {
        match (shape, kind) {
            (Shape::One(value), _) => value,
            (Shape::Known(bits), Kind::Float { bytes: 4 }) => {
                self.b.ins().f32const(f32::from_bits(bits as u32))
            }
            (Shape::Known(bits), Kind::Float { .. }) => self.b.ins().f64const(f64::from_bits(bits)),
            (Shape::Known(bits), _) => {
                let machine = kind.machine().expect("nothing has no value");
                self.b.ins().iconst(machine, bits as i64)
            }
            (shape, _) => unreachable!("{shape:?} where one number is wanted"),
        }
    }

    /// The vectors of four numbers; short ones have one, given twice.
    pub(super) fn parts(&mut self, kind: Kind, shape: Shape) -> [Value; 2] {
        match shape {
            Shape::Pairs(values) => values,
            Shape::Four(value) => [value; 2],
            Shape::Known(bits) if kind.is_short() => {
                let machine = if kind.is_float() {
                    types::F32X4
                } else {
                    types::I32X4
                };
                [self.vector(machine, &(bits as u32).to_le_bytes().repeat(4)); 2]
            }
            Shape::Known(bits) => {
                let machine = if kind.is_float() {
                    types::F64X2
                } else {
                    types::I64X2
                };
                let bits = if kind == Kind::Truth {
                    bits.wrapping_neg()
                } else {
                    bits
                };
                [self.vector(machine, &bits.to_le_bytes().repeat(2)); 2]
            }
            shape => {
                let value = self.one(kind, shape);
                let machine = self.b.func.dfg.value_type(value);
                let n = if kind.is_short() { 4 } else { 2 };
                let machine = machine.by(n).expect("numbers have vectors");
                [self.b.ins().splat(machine, value); 2]
            }
        }
    }

    fn vector(&mut self, machine: Type, bytes: &[u8]) -> Value {
        let constant = self.b.func.dfg.constants.insert(bytes.to_vec().into());
        self.b.ins().vconst(machine, constant)
    }

    /// Vectors as a shape again.
    fn joined(&self, values: [Value; 2]) -> Shape {
        match self.b.func.dfg.value_type(values[0]).lane_count() {
            4 => Shape::Four(values[0]),
            _ => Shape::Pairs(values),
        }
    }

    /// One of four numbers.
    pub(super) fn lane(&mut self, shape: Shape, lane: u8) -> Shape {
        match shape {
            Shape::Four(value) => Shape::One(self.b.ins().extractlane(value, lane)),
            Shape::Pairs(values) => {
                let value = values[usize::from(lane / 2)];
                Shape::One(self.b.ins().extractlane(value, lane % 2))
            }
            Shape::Row(first, step) => {
                let step = step.unwrap_or_else(|| self.b.ins().iconst(types::I64, 1));
                let offset = self.b.ins().imul_imm_s(step, i64::from(lane));
                Shape::One(self.b.ins().iadd(first, offset))
            }
            same => same,
        }
    }

    pub(super) fn collect(&mut self, kind: Kind, values: [Value; 4]) -> Shape {
        let n = if kind.is_short() { 4 } else { 2 };
        let machine = self.b.func.dfg.value_type(values[0]).by(n);
        let machine = machine.expect("numbers have vectors");
        let mut parts = values.chunks(n as usize).map(|values| {
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
        kind: Kind,
        shape: Shape,
        op: impl Fn(&mut FunctionBuilder, Value) -> Value,
    ) -> Shape {
        if shape.is_wide() {
            let values = self.parts(kind, shape).map(|value| op(&mut self.b, value));
            return self.joined(values);
        }
        let value = self.one(kind, shape);
        Shape::One(op(&mut self.b, value))
    }

    fn map2(
        &mut self,
        kind: Kind,
        (a, b): (Shape, Shape),
        op: impl Fn(&mut FunctionBuilder, Value, Value) -> Value,
    ) -> Shape {
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
        Shape::One(op(&mut self.b, a, b))
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
        impl Emitter<'_, '_> {
            $(pub(crate) fn $name<T: Scalar>(&mut self, a: Ir<T>, b: Ir<T>) -> Ir<T> {
                if let Some(shape) = self.of_row(stringify!($name), T::KIND, (a.shape, b.shape)) {
                    return Ir::of(shape);
                }
                Ir::of(self.map2(T::KIND, (a.shape, b.shape), |builder, a, b| match T::KIND {
                    Kind::Float { .. } => builder.ins().$float(a, b),
                    Kind::Integer { is_signed: true, .. } => builder.ins().$signed(a, b),
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
        impl Emitter<'_, '_> {
            $(pub(crate) fn $name<T: Scalar>(&mut self, a: Ir<T>, b: Ir<T>) -> Ir<bool> {
                Ir::of(self.map2(T::KIND, (a.shape, b.shape), |builder, a, b| match T::KIND {
                    Kind::Float { .. } => builder.ins().fcmp(FloatCC::$float, a, b),
                    Kind::Integer { is_signed: true, .. } => {
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
impl Emitter<'_, '_> {
    /// What sums and products with an index of `lanes` are, and those that need no
    /// instruction or a cheaper one.
    fn of_row(&mut self, name: &str, kind: Kind, (a, b): (Shape, Shape)) -> Option<Shape> {
        match (name, a, b) {
            ("add", Shape::Row(first, step), other) | ("add", other, Shape::Row(first, step)) => {
                let other = self.one(kind, other);
                Some(Shape::Row(self.b.ins().iadd(first, other), step))
            }
            ("mul", Shape::Row(first, step), other) | ("mul", other, Shape::Row(first, step)) => {
                let other = self.one(kind, other);
                let step = step.map_or(other, |step| self.b.ins().imul(step, other));
                Some(Shape::Row(self.b.ins().imul(first, other), Some(step)))
            }
            ("mul", Shape::One(x), Shape::Known(n)) if !kind.is_float() && n.is_power_of_two() => {
                Some(Shape::One(
                    self.b.ins().ishl_imm_u(x, i64::from(n.trailing_zeros())),
                ))
            }
            _ => None,
        }
    }

    pub(crate) fn shl<T: Scalar, N: Scalar>(&mut self, x: Ir<T>, n: Ir<N>) -> Ir<T> {
        let n = self.one(N::KIND, n.shape);
        Ir::of(self.map(T::KIND, x.shape, |builder, x| builder.ins().ishl(x, n)))
    }

    pub(crate) fn shr<T: Scalar, N: Scalar>(&mut self, x: Ir<T>, n: Ir<N>) -> Ir<T> {
        let n = self.one(N::KIND, n.shape);
        Ir::of(self.map(T::KIND, x.shape, |builder, x| match T::KIND {
            Kind::Integer {
                is_signed: true, ..
            } => builder.ins().sshr(x, n),
            _ => builder.ins().ushr(x, n),
        }))
    }

    pub(crate) fn neg<T: Scalar>(&mut self, x: Ir<T>) -> Ir<T> {
        Ir::of(
            self.map(T::KIND, x.shape, |builder, x| match T::KIND.is_float() {
                true => builder.ins().fneg(x),
                false => builder.ins().ineg(x),
            }),
        )
    }

    pub(crate) fn not<T: Scalar>(&mut self, x: Ir<T>) -> Ir<T> {
        let is_one_truth = T::KIND == Kind::Truth && !x.shape.is_wide();
        Ir::of(self.map(T::KIND, x.shape, |builder, x| match is_one_truth {
            true => builder.ins().bxor_imm_u(x, 1),
            false => builder.ins().bnot(x),
        }))
    }

    pub(crate) fn abs<T: Scalar>(&mut self, x: Ir<T>) -> Ir<T> {
        Ir::of(self.map(T::KIND, x.shape, |builder, x| builder.ins().fabs(x)))
    }

    pub(crate) fn is_nan<T: Scalar>(&mut self, x: Ir<T>) -> Ir<bool> {
        self.ne(x, x)
    }

    pub(crate) fn is_finite(&mut self, x: Ir<f64>) -> Ir<bool> {
        let (size, infinity) = (self.abs(x), self.constant(f64::INFINITY));
        self.lt(size, infinity)
    }

    pub(crate) fn is_null<P: Pointer>(&mut self, pointer: Ir<P>) -> Ir<bool> {
        let null = Ir::of(Shape::Known(0));
        self.eq(pointer, null)
    }

    pub(crate) fn ln(&mut self, x: Ir<f64>) -> Ir<f64> {
        self.call_c("log", &[x])
    }

    pub(crate) fn ln_1p(&mut self, x: Ir<f64>) -> Ir<f64> {
        self.call_c("log1p", &[x])
    }

    pub(crate) fn log2(&mut self, x: Ir<f64>) -> Ir<f64> {
        self.call_c("log2", &[x])
    }

    pub(crate) fn exp(&mut self, x: Ir<f64>) -> Ir<f64> {
        self.call_c("exp", &[x])
    }

    pub(crate) fn sin(&mut self, x: Ir<f64>) -> Ir<f64> {
        self.call_c("sin", &[x])
    }

    /// Rounded once.
    pub(crate) fn mul_add(&mut self, x: Ir<f64>, y: Ir<f64>, z: Ir<f64>) -> Ir<f64> {
        self.call_c("fma", &[x, y, z])
    }

    pub(crate) fn to_bits<F: Bits>(&mut self, x: Ir<F>) -> Ir<F::Same> {
        self.as_bits(F::KIND, <F::Same>::KIND, x.shape)
    }

    pub(crate) fn from_bits<B: Bits>(&mut self, x: Ir<B>) -> Ir<B::Same> {
        self.as_bits(B::KIND, <B::Same>::KIND, x.shape)
    }

    fn as_bits<T: Scalar>(&mut self, from: Kind, to: Kind, shape: Shape) -> Ir<T> {
        let machine = to.machine().expect("numbers have bits");
        Ir::of(if shape.is_wide() {
            let values = self.parts(from, shape);
            let machine = machine.by(if to.is_short() { 4 } else { 2 });
            let machine = machine.expect("numbers have vectors");
            let values = values.map(|value| self.reinterpret(machine, value));
            self.joined(values)
        } else {
            let value = self.one(from, shape);
            Shape::One(self.reinterpret(machine, value))
        })
    }

    /// One of two numbers, both of which are computed.
    pub(crate) fn choose<T: Scalar>(&mut self, which: Ir<bool>, yes: Ir<T>, no: Ir<T>) -> Ir<T> {
        if T::KIND == Kind::Nothing {
            return yes;
        }
        if !which.shape.is_wide() {
            let which = self.one(Kind::Truth, which.shape);
            return Ir::of(
                self.map2(T::KIND, (yes.shape, no.shape), |builder, yes, no| {
                    builder.ins().select(which, yes, no)
                }),
            );
        }
        let is_or_nothing = matches!(no.shape, Shape::Known(0));
        let (yes, no) = (
            self.parts(T::KIND, yes.shape),
            self.parts(T::KIND, no.shape),
        );
        let masks = match (which.shape, T::KIND.is_short()) {
            (Shape::Pairs(masks), true) => [self.narrow(masks); 2],
            (which, _) => self.parts(Kind::Truth, which),
        };
        let machine = self.b.func.dfg.value_type(yes[0]);
        let chosen = [0, 1].map(|at| {
            let mask = self.reinterpret(machine, masks[at]);
            match is_or_nothing {
                true => self.b.ins().band(mask, yes[at]),
                false => self.b.ins().bitselect(mask, yes[at], no[at]),
            }
        });
        Ir::of(self.joined(chosen))
    }

    /// `as`
    pub(crate) fn cast<A: Scalar, B: Scalar>(&mut self, x: Ir<A>) -> Ir<B> {
        let same = match (A::KIND, B::KIND) {
            (Kind::Integer { bytes: a, .. }, Kind::Integer { bytes: b, .. }) => a == b,
            (a, b) => a == b,
        };
        Ir::of(match x.shape {
            shape if same => shape,
            Shape::Pairs(pairs) => Shape::Four(match B::KIND {
                Kind::Float { .. } => {
                    let halves = pairs.map(|pair| self.b.ins().fvdemote(pair));
                    let four = self.words(halves, [0, 1, 4, 5]);
                    self.reinterpret(types::F32X4, four)
                }
                _ => self.narrow(pairs),
            }),
            shape => {
                let value = self.one(A::KIND, shape);
                Shape::One(self.convert(A::KIND, B::KIND, value))
            }
        })
    }

    fn convert(&mut self, from: Kind, to: Kind, x: Value) -> Value {
        let machine = to.machine().expect("numbers are cast to numbers");
        let ins = self.b.ins();
        match (from, to) {
            (Kind::Float { .. }, Kind::Float { bytes: 4 }) => ins.fdemote(machine, x),
            (Kind::Float { .. }, Kind::Float { .. }) => ins.fpromote(machine, x),
            (
                Kind::Float { .. },
                Kind::Integer {
                    is_signed: true, ..
                },
            ) => ins.fcvt_to_sint_sat(machine, x),
            (Kind::Float { .. }, _) => ins.fcvt_to_uint_sat(machine, x),
            (
                Kind::Integer {
                    is_signed: true, ..
                },
                Kind::Float { .. },
            ) => ins.fcvt_from_sint(machine, x),
            (_, Kind::Float { .. }) => ins.fcvt_from_uint(machine, x),
            (Kind::Integer { bytes: 8, .. }, _) => ins.ireduce(machine, x),
            (
                Kind::Integer {
                    is_signed: true, ..
                },
                _,
            ) => ins.sextend(machine, x),
            _ => ins.uextend(machine, x),
        }
    }
}

/// Memory.
impl Emitter<'_, '_> {
    /// A pointer so many elements further.
    pub(crate) fn offset<P: Pointer>(&mut self, pointer: Ir<P>, n: Ir<usize>) -> Ir<*const P::To> {
        let size = size_of::<P::To>() as u64;
        let base = self.one(u64::KIND, pointer.shape);
        Ir::of(match n.shape {
            Shape::Known(0) => pointer.shape,
            Shape::Row(first, step) => {
                let mut scaled = |x| {
                    let scaled = self.mul(Ir::<u64>::of(Shape::One(x)), Ir::of(Shape::Known(size)));
                    self.one(u64::KIND, scaled.shape)
                };
                let (first, step) = (scaled(first), step.map(&mut scaled));
                Shape::Row(self.b.ins().iadd(base, first), step)
            }
            shape => {
                let bytes = self.mul(Ir::<u64>::of(shape), Ir::of(Shape::Known(size)));
                let bytes = self.one(u64::KIND, bytes.shape);
                Shape::One(self.b.ins().iadd(base, bytes))
            }
        })
    }

    pub(crate) fn cast_pointer<P: Pointer, B>(&mut self, pointer: Ir<P>) -> Ir<*const B> {
        Ir::of(pointer.shape)
    }

    /// A pointer to a part of what another one points to.
    pub(crate) fn field<P: Pointer, F>(
        &mut self,
        pointer: Ir<P>,
        part: impl FnOnce(*const P::To) -> *const F,
    ) -> Ir<*const F> {
        let whole = MaybeUninit::<P::To>::uninit();
        let offset = part(whole.as_ptr()).addr() - whole.as_ptr().addr();
        if offset == 0 {
            return Ir::of(pointer.shape);
        }
        let base = self.one(u64::KIND, pointer.shape);
        Ir::of(Shape::One(self.b.ins().iadd_imm_s(base, offset as i64)))
    }

    pub(crate) fn load<P: Pointer>(&mut self, pointer: Ir<P>) -> Ir<<P::To as Scalar>::As>
    where
        P::To: Scalar,
    {
        let kind = <P::To>::KIND;
        let machine = kind.machine().expect("nothing is in no memory");
        Ir::of(match pointer.shape {
            Shape::Row(first, None) if kind.is_short() => Shape::Four(self.b.ins().load(
                machine.by(4).expect("four"),
                flags(),
                first,
                0,
            )),
            Shape::Row(first, None) => {
                let machine = machine.by(2).expect("numbers have vectors");
                Shape::Pairs([0, 16].map(|at| self.b.ins().load(machine, flags(), first, at)))
            }
            Shape::Row(mut place, Some(step)) => {
                let values = [(); 4].map(|()| {
                    let value = self.b.ins().load(machine, flags(), place, 0);
                    place = self.b.ins().iadd(place, step);
                    value
                });
                self.collect(kind, values)
            }
            shape => {
                let place = self.one(u64::KIND, shape);
                Shape::One(self.b.ins().load(machine, flags(), place, 0))
            }
        })
    }

    pub(crate) fn store<P: Pointer>(
        &mut self,
        pointer: Ir<P>,
        value: Ir<<P::To as Scalar>::As>,
    ) -> Ir<()>
    where
        P::To: Scalar,
    {
        let kind = <P::To>::KIND;
        self.assert_no_choice();
        match pointer.shape {
            Shape::Row(first, None) => {
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
    pub(super) fn everywhere<T: Scalar>(&mut self, x: Ir<T>) -> Ir<T> {
        let parts = self.parts(T::KIND, x.shape);
        Ir::of(self.joined(parts))
    }

    /// Whether something holds for any of four.
    pub(super) fn any(&mut self, which: Ir<bool>) -> Ir<bool> {
        let Shape::Pairs([low, high]) = which.shape else {
            return which;
        };
        let both = self.b.ins().bor(low, high);
        let bits = self.b.ins().vhigh_bits(types::I64, both);
        let zero = self.b.ins().iconst(types::I64, 0);
        Ir::of(Shape::One(self.b.ins().icmp(IntCC::NotEqual, bits, zero)))
    }
}
