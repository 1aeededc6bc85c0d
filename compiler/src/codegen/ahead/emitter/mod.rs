//! Writes functions as Cranelift IR: the methods that `pelton-macros` makes of Rust.
//!
//! Numbers have the types of the function that is written, so that Rust's compiler finds
//! out which instruction is meant. Inside of `lanes` a number may be four ([`NumberShape`]);
//! whatever meets them becomes four, too. `arithmetic` has what computes, this file what
//! steers.

mod arithmetic;
mod kind;
#[cfg(test)]
mod tests;

pub(crate) use kind::{GeneratedType, IrNumber, NumberKind, NumberShape};

use super::library::FunctionLibrary;
use cranelift_codegen::ir::{Block, Function as Code, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use kind::{FloatBits, MemoryPointer};
use std::marker::PhantomData;

/// A function that can be written.
#[derive(Clone)]
pub(crate) struct GeneratedFunction {
    pub(crate) name: &'static str,
    pub(crate) takes: Vec<NumberKind>,
    pub(crate) gives: NumberKind,
    /// Nothing if the function is from elsewhere.
    pub(crate) body: Option<fn(&mut IrEmitter, &[NumberShape])>,
}

impl GeneratedFunction {
    /// The name without the modules.
    pub(super) fn short_name(&self) -> &'static str {
        self.name.rsplit("::").next().unwrap_or(self.name)
    }
}

/// A variable of the function that is written.
pub(crate) struct LocalVariable<T> {
    cells: VariableCells,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for LocalVariable<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LocalVariable<T> {}

/// As [`NumberShape`].
#[derive(Clone, Copy)]
enum VariableCells {
    One(Variable),
    Four(Variable),
    Pairs([Variable; 2]),
    Nothing,
}

/// Writes one function.
pub(crate) struct IrEmitter<'a, 'm> {
    b: FunctionBuilder<'a>,
    library: &'a mut FunctionLibrary<'m>,
    /// Where to go, and with what, instead of returning.
    exit: Option<(Block, VariableCells)>,
    is_in_lanes: bool,
    /// Both branches of how many choices are being written.
    n_choices: u32,
}

impl<'a, 'm> IrEmitter<'a, 'm> {
    /// Writes a function that has a body.
    pub(super) fn write(
        library: &'a mut FunctionLibrary<'m>,
        (code, scratch): (&'a mut Code, &'a mut FunctionBuilderContext),
        function: &GeneratedFunction,
    ) {
        let configuration = library.target.isa.frontend_config();
        let mut e = IrEmitter {
            b: FunctionBuilder::new(code, scratch),
            library,
            exit: None,
            is_in_lanes: false,
            n_choices: 0,
        };
        let entry = e.b.create_block();
        e.b.append_block_params_for_function_params(entry);
        e.b.switch_to_block(entry);
        let arguments = e.b.block_params(entry).iter();
        let arguments: Vec<NumberShape> = arguments.map(|&value| NumberShape::One(value)).collect();
        let body = function.body.expect("only what has a body is written");
        body(&mut e, &arguments);
        // Behind a return nothing follows, but a block has to end.
        e.b.ins()
            .trap(cranelift_codegen::ir::TrapCode::unwrap_user(1));
        e.b.seal_all_blocks();
        e.b.finalize(configuration);
    }

    pub(crate) fn nothing(&mut self) -> IrNumber<()> {
        IrNumber::of(NumberShape::Nothing)
    }

    pub(crate) fn constant<T: GeneratedType>(&mut self, value: T) -> IrNumber<T> {
        IrNumber::of(NumberShape::Known(value.bits()))
    }

    /// The address of the object's own data.
    pub(super) fn data<T>(&mut self, name: &str) -> IrNumber<*const T> {
        let data = self.library.data_named(name);
        let data = self.library.module.declare_data_in_func(data, self.b.func);
        IrNumber::of(NumberShape::One(
            self.b.ins().symbol_value(types::I64, data),
        ))
    }

    /// A call; with vectors four calls, one for each number.
    pub(crate) fn call(
        &mut self,
        function: &GeneratedFunction,
        arguments: &[NumberShape],
    ) -> NumberShape {
        if arguments.iter().any(|argument| argument.is_wide()) {
            let each = [0, 1, 2, 3].map(|lane| {
                let arguments = arguments.iter().map(|&shape| self.lane(shape, lane));
                let arguments: Vec<NumberShape> = arguments.collect();
                let result = self.call(function, &arguments);
                self.one(function.gives, result)
            });
            return self.collect(function.gives, each);
        }
        let callee = self.library.find(function);
        let callee = self
            .library
            .module
            .declare_func_in_func(callee, self.b.func);
        let arguments = function.takes.iter().zip(arguments);
        let arguments: Vec<Value> = arguments
            .map(|(&kind, &shape)| self.one(kind, shape))
            .collect();
        let call = self.b.ins().call(callee, &arguments);
        self.b
            .inst_results(call)
            .first()
            .map_or(NumberShape::Nothing, |&value| NumberShape::One(value))
    }

    /// A function of C's library.
    fn call_c<T: GeneratedType>(
        &mut self,
        name: &'static str,
        arguments: &[IrNumber<T>],
    ) -> IrNumber<T> {
        let function = GeneratedFunction {
            name,
            takes: vec![T::KIND; arguments.len()],
            gives: T::KIND,
            body: None,
        };
        let arguments: Vec<NumberShape> = arguments.iter().map(|argument| argument.shape).collect();
        IrNumber::of(self.call(&function, &arguments))
    }

    pub(crate) fn variable<T: GeneratedType>(&mut self, start: IrNumber<T>) -> LocalVariable<T> {
        let variable = self.fresh(start.shape.is_wide());
        self.set(variable, start);
        variable
    }

    /// Inside of `lanes` floats and truths are four, whatever they begin with.
    fn fresh<T: GeneratedType>(&mut self, is_wide: bool) -> LocalVariable<T> {
        let kind = T::KIND;
        let is_wide = is_wide || self.is_in_lanes && (kind.is_float() || kind == NumberKind::Truth);
        let cells = match kind.machine() {
            None => VariableCells::Nothing,
            Some(machine) if !is_wide => VariableCells::One(self.b.declare_var(machine)),
            _ if kind.is_short() => VariableCells::Four(self.b.declare_var(kind.vector())),
            _ => VariableCells::Pairs([(); 2].map(|()| self.b.declare_var(kind.vector()))),
        };
        LocalVariable {
            cells,
            kind: PhantomData,
        }
    }

    pub(crate) fn get<T: GeneratedType>(&mut self, variable: LocalVariable<T>) -> IrNumber<T> {
        IrNumber::of(match variable.cells {
            VariableCells::One(cell) => NumberShape::One(self.b.use_var(cell)),
            VariableCells::Four(cell) => NumberShape::Four(self.b.use_var(cell)),
            VariableCells::Pairs(cells) => {
                NumberShape::Pairs(cells.map(|cell| self.b.use_var(cell)))
            }
            VariableCells::Nothing => NumberShape::Nothing,
        })
    }

    pub(crate) fn set<T: GeneratedType>(
        &mut self,
        variable: LocalVariable<T>,
        value: IrNumber<T>,
    ) -> IrNumber<()> {
        self.assert_no_choice();
        match variable.cells {
            VariableCells::One(cell) => {
                let value = self.one(T::KIND, value.shape);
                self.b.def_var(cell, value);
            }
            VariableCells::Four(cell) => {
                let [value, _] = self.parts(T::KIND, value.shape);
                self.b.def_var(cell, value);
            }
            VariableCells::Pairs(cells) => {
                let values = self.parts(T::KIND, value.shape);
                cells
                    .into_iter()
                    .zip(values)
                    .for_each(|(cell, value)| self.b.def_var(cell, value));
            }
            VariableCells::Nothing => {}
        }
        self.nothing()
    }

    /// Where both branches are computed, neither may do anything.
    fn assert_no_choice(&self) {
        assert_eq!(self.n_choices, 0, "a choice between vectors has no effects");
    }

    /// One of two values or bodies. Where the condition is four, both are computed.
    pub(crate) fn branch<T: GeneratedType>(
        &mut self,
        condition: IrNumber<bool>,
        yes: impl FnOnce(&mut Self) -> IrNumber<T>,
        no: impl FnOnce(&mut Self) -> IrNumber<T>,
    ) -> IrNumber<T> {
        if condition.shape.is_wide() {
            self.n_choices += 1;
            let (yes, no) = (yes(self), no(self));
            self.n_choices -= 1;
            return self.choose(condition, yes, no);
        }
        let [first, second, after] = [(); 3].map(|()| self.b.create_block());
        let condition = self.one(NumberKind::Truth, condition.shape);
        self.b.ins().brif(condition, first, &[], second, &[]);
        let result = self.fresh(false);
        self.b.switch_to_block(first);
        let value = yes(self);
        self.settle(result, value, after);
        self.b.switch_to_block(second);
        let value = no(self);
        self.settle(result, value, after);
        self.b.switch_to_block(after);
        self.get(result)
    }

    fn settle<T: GeneratedType>(
        &mut self,
        result: LocalVariable<T>,
        value: IrNumber<T>,
        after: Block,
    ) {
        if T::KIND != NumberKind::Nothing {
            self.set(result, value);
        }
        self.b.ins().jump(after, &[]);
    }

    /// Runs a body as long as a condition holds.
    pub(crate) fn while_true(
        &mut self,
        condition: impl FnOnce(&mut Self) -> IrNumber<bool>,
        body: impl FnOnce(&mut Self) -> IrNumber<()>,
    ) -> IrNumber<()> {
        let [head, inside, after] = [(); 3].map(|()| self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let holds = condition(self);
        let holds = self.one(NumberKind::Truth, holds.shape);
        self.b.ins().brif(holds, inside, &[], after, &[]);
        self.b.switch_to_block(inside);
        body(self);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(after);
        self.nothing()
    }

    /// Runs a body for all numbers of a range.
    pub(crate) fn each<T: GeneratedType>(
        &mut self,
        start: IrNumber<T>,
        end: IrNumber<T>,
        body: impl FnOnce(&mut Self, IrNumber<T>) -> IrNumber<()>,
    ) -> IrNumber<()> {
        let one = IrNumber::of(NumberShape::Known(1));
        self.steps((start, end, one), body)
    }

    /// The same for four numbers at a time, of which there are a multiple of four.
    pub(crate) fn lanes(
        &mut self,
        start: IrNumber<usize>,
        end: IrNumber<usize>,
        body: impl FnOnce(&mut Self, IrNumber<usize>) -> IrNumber<()>,
    ) -> IrNumber<()> {
        let four = IrNumber::of(NumberShape::Known(4));
        self.steps((start, end, four), |e, first| {
            let first = e.one(usize::KIND, first.shape);
            e.is_in_lanes = true;
            body(e, IrNumber::of(NumberShape::Row(first, None)));
            e.is_in_lanes = false;
            e.nothing()
        })
    }

    fn steps<T: GeneratedType>(
        &mut self,
        (start, end, step): (IrNumber<T>, IrNumber<T>, IrNumber<T>),
        body: impl FnOnce(&mut Self, IrNumber<T>) -> IrNumber<()>,
    ) -> IrNumber<()> {
        let at = self.variable(start);
        self.while_true(
            |e| {
                let at = e.get(at);
                e.lt(at, end)
            },
            |e| {
                let this = e.get(at);
                body(e, this);
                let next = e.add(this, step);
                e.set(at, next)
            },
        )
    }

    /// A body from anywhere in which a value can be given early.
    pub(crate) fn returning<T: GeneratedType>(
        &mut self,
        body: impl FnOnce(&mut Self) -> IrNumber<T>,
    ) -> IrNumber<T> {
        let (after, result) = (self.b.create_block(), self.fresh::<T>(false));
        let outer = self.exit.replace((after, result.cells));
        let value = body(self);
        self.settle(result, value, after);
        self.exit = outer;
        self.b.switch_to_block(after);
        self.get(result)
    }

    /// Returns; what follows is never reached.
    pub(crate) fn leave<T: GeneratedType>(&mut self, value: IrNumber<T>) -> IrNumber<()> {
        self.assert_no_choice();
        match self.exit {
            Some((after, cells)) => {
                let kind = PhantomData;
                self.settle(LocalVariable { cells, kind }, value, after);
            }
            None => {
                let result = T::KIND.machine().map(|_| self.one(T::KIND, value.shape));
                self.b.ins().return_(result.as_slice());
            }
        }
        let unreached = self.b.create_block();
        self.b.switch_to_block(unreached);
        self.nothing()
    }
}

/// The same number four times, made before a loop over `lanes`.
#[allow(non_camel_case_types)]
pub(super) enum everywhere {}

impl everywhere {
    pub(super) fn emit<T: GeneratedType>(e: &mut IrEmitter<'_, '_>, x: IrNumber<T>) -> IrNumber<T> {
        e.everywhere(x)
    }
}

/// Whether something holds for any of four numbers.
#[allow(non_camel_case_types)]
pub(super) enum any {}

impl any {
    pub(super) fn emit(e: &mut IrEmitter<'_, '_>, which: IrNumber<bool>) -> IrNumber<bool> {
        e.any(which)
    }
}
