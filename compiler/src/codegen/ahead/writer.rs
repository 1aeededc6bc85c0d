//! Writes functions that are not operations of a plan: loops, branches and calls over
//! single numbers, with variables in place of block parameters.

use crate::codegen::CodegenError;
use crate::codegen::isa::CodegenTarget;
use crate::codegen::link::memory_error;
use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Endianness, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, Type,
    Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module};
use cranelift_object::ObjectModule;

/// The object in the making.
pub(super) struct Library<'a> {
    pub(super) module: &'a mut ObjectModule,
    pub(super) target: &'a CodegenTarget,
    /// Bytes of code that were written here.
    pub(super) code_bytes: usize,
    scratch: FunctionBuilderContext,
}

/// What a function takes and gives.
pub(super) type Types<'t> = (&'t [Type], Option<Type>);

impl<'a> Library<'a> {
    pub(super) fn new(module: &'a mut ObjectModule, target: &'a CodegenTarget) -> Self {
        Library {
            module,
            target,
            code_bytes: 0,
            scratch: FunctionBuilderContext::new(),
        }
    }

    /// A function of the C library.
    pub(super) fn import(&mut self, name: &str, kind: Types) -> Result<FuncId, CodegenError> {
        self.declare(name, Linkage::Import, kind)
    }

    pub(super) fn declare(
        &mut self,
        name: &str,
        linkage: Linkage,
        kind: Types,
    ) -> Result<FuncId, CodegenError> {
        let signature = signature(self.target, kind);
        let declared = self.module.declare_function(name, linkage, &signature);
        declared.map_err(memory_error)
    }

    /// Writes a function that others of the object call.
    pub(super) fn local(
        &mut self,
        name: &str,
        kind: Types,
        body: impl FnOnce(&mut Writer, &[Value]),
    ) -> Result<FuncId, CodegenError> {
        let id = self.declare(name, Linkage::Local, kind)?;
        self.define(id, kind, body)?;
        Ok(id)
    }

    /// Writes a function that programs call.
    pub(super) fn public(
        &mut self,
        name: &str,
        kind: Types,
        body: impl FnOnce(&mut Writer, &[Value]),
    ) -> Result<(), CodegenError> {
        let id = self.declare(name, Linkage::Export, kind)?;
        self.define(id, kind, body)
    }

    /// Writes the body of a function, which ends in a return.
    pub(super) fn define(
        &mut self,
        id: FuncId,
        kind: Types,
        body: impl FnOnce(&mut Writer, &[Value]),
    ) -> Result<(), CodegenError> {
        let mut context = Context::new();
        context.func.signature = signature(self.target, kind);
        let mut w = Writer {
            b: FunctionBuilder::new(&mut context.func, &mut self.scratch),
            module: self.module,
            target: self.target,
        };
        let entry = w.b.create_block();
        w.b.append_block_params_for_function_params(entry);
        w.b.switch_to_block(entry);
        let arguments = w.b.block_params(entry).to_vec();
        body(&mut w, &arguments);
        w.b.seal_all_blocks();
        w.b.finalize(self.target.isa.frontend_config());
        let defined = self.module.define_function(id, &mut context);
        defined.map_err(|error| CodegenError::Compile {
            function: format!("{id}"),
            reason: error.to_string(),
        })?;
        let code = context.compiled_code();
        self.code_bytes += code.map_or(0, |code| code.code_buffer().len());
        Ok(())
    }

    /// Constant data of the object's own.
    pub(super) fn data(
        &mut self,
        name: &str,
        bytes: &[u8],
        align: u64,
    ) -> Result<DataId, CodegenError> {
        let id = self.module.declare_data(name, Linkage::Local, false, false);
        let id = id.map_err(memory_error)?;
        self.define_data(id, bytes.to_vec(), align)?;
        Ok(id)
    }

    pub(super) fn define_data(
        &mut self,
        id: DataId,
        mut bytes: Vec<u8>,
        align: u64,
    ) -> Result<(), CodegenError> {
        // No symbol is of length zero.
        if bytes.is_empty() {
            bytes.push(0);
        }
        let mut data = DataDescription::new();
        data.define(bytes.into_boxed_slice());
        data.set_align(align);
        self.module.define_data(id, &data).map_err(memory_error)
    }
}

fn signature(target: &CodegenTarget, (takes, gives): Types) -> Signature {
    let mut signature = Signature::new(target.isa.default_call_conv());
    signature.params = takes.iter().map(|&kind| AbiParam::new(kind)).collect();
    signature.returns = gives.iter().map(|&kind| AbiParam::new(kind)).collect();
    signature
}

/// Writes one function. Addresses are numbers of 64 bits.
pub(super) struct Writer<'a> {
    pub(super) b: FunctionBuilder<'a>,
    pub(super) module: &'a mut ObjectModule,
    pub(super) target: &'a CodegenTarget,
}

fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Writer<'_> {
    /// A 64-bit integer.
    pub(super) fn int(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    /// A double.
    pub(super) fn double(&mut self, value: f64) -> Value {
        self.b.ins().f64const(value)
    }

    /// `x + n`
    pub(super) fn plus(&mut self, x: Value, n: i64) -> Value {
        match n {
            0 => x,
            n => {
                let n = self.int(n);
                self.b.ins().iadd(x, n)
            }
        }
    }

    /// `base + index * step`
    pub(super) fn element(&mut self, base: Value, index: Value, step: i64) -> Value {
        let step = self.int(step);
        let offset = self.b.ins().imul(index, step);
        self.b.ins().iadd(base, offset)
    }

    pub(super) fn load(&mut self, kind: Type, base: Value, offset: i32) -> Value {
        self.b.ins().load(kind, flags(), base, offset)
    }

    /// Loads 32 bits as a number of 64.
    pub(super) fn load_u32(&mut self, base: Value, offset: i32) -> Value {
        self.b.ins().uload32(flags(), base, offset)
    }

    pub(super) fn store(&mut self, value: Value, base: Value, offset: i32) {
        self.b.ins().store(flags(), value, base, offset);
    }

    /// The same bits as another type.
    pub(super) fn bits(&mut self, kind: Type, value: Value) -> Value {
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(kind, flags, value)
    }

    pub(super) fn call(&mut self, function: FuncId, arguments: &[Value]) -> Vec<Value> {
        let callee = self.module.declare_func_in_func(function, self.b.func);
        let call = self.b.ins().call(callee, arguments);
        self.b.inst_results(call).to_vec()
    }

    /// A call of a function of one result.
    pub(super) fn value_of(&mut self, function: FuncId, arguments: &[Value]) -> Value {
        self.call(function, arguments)[0]
    }

    /// The address of data.
    pub(super) fn address(&mut self, data: DataId) -> Value {
        let data = self.module.declare_data_in_func(data, self.b.func);
        self.b.ins().symbol_value(types::I64, data)
    }

    /// Memory of the call.
    pub(super) fn stack(&mut self, bytes: u32) -> Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4);
        let slot = self.b.create_sized_stack_slot(slot);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    pub(super) fn variable(&mut self, start: Value) -> Variable {
        let kind = self.b.func.dfg.value_type(start);
        let variable = self.b.declare_var(kind);
        self.b.def_var(variable, start);
        variable
    }

    pub(super) fn get(&mut self, variable: Variable) -> Value {
        self.b.use_var(variable)
    }

    pub(super) fn set(&mut self, variable: Variable, value: Value) {
        self.b.def_var(variable, value);
    }

    pub(super) fn compare(&mut self, how: FloatCC, x: Value, y: Value) -> Value {
        self.b.ins().fcmp(how, x, y)
    }

    pub(super) fn equals(&mut self, x: Value, n: i64) -> Value {
        self.b.ins().icmp_imm_s(IntCC::Equal, x, n)
    }

    pub(super) fn less(&mut self, x: Value, y: Value) -> Value {
        self.b.ins().icmp(IntCC::UnsignedLessThan, x, y)
    }

    pub(super) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.b.ins().select(condition, yes, no)
    }

    /// Runs a body as long as a condition holds.
    pub(super) fn while_true(
        &mut self,
        condition: impl FnOnce(&mut Self) -> Value,
        body: impl FnOnce(&mut Self),
    ) {
        let [head, inside, after] = [(); 3].map(|()| self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let holds = condition(self);
        self.b.ins().brif(holds, inside, &[], after, &[]);
        self.b.switch_to_block(inside);
        body(self);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(after);
    }

    /// Runs a body for every number below `n`.
    pub(super) fn each(&mut self, n: Value, body: impl FnOnce(&mut Self, Value)) {
        let zero = self.int(0);
        let at = self.variable(zero);
        self.while_true(
            |w| {
                let at = w.get(at);
                w.less(at, n)
            },
            |w| {
                let this = w.get(at);
                body(w, this);
                let next = w.plus(this, 1);
                w.set(at, next);
            },
        );
    }

    /// Runs one of two bodies.
    pub(super) fn either(
        &mut self,
        condition: Value,
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        let [first, second, after] = [(); 3].map(|()| self.b.create_block());
        self.b.ins().brif(condition, first, &[], second, &[]);
        self.b.switch_to_block(first);
        yes(self);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(second);
        no(self);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Runs a body if a condition holds.
    pub(super) fn when(&mut self, condition: Value, yes: impl FnOnce(&mut Self)) {
        self.either(condition, yes, |_| {});
    }

    /// Returns from the function if a condition holds.
    pub(super) fn return_if(
        &mut self,
        condition: Value,
        results: impl FnOnce(&mut Self) -> Vec<Value>,
    ) {
        let [leave, stay] = [(); 2].map(|()| self.b.create_block());
        self.b.ins().brif(condition, leave, &[], stay, &[]);
        self.b.switch_to_block(leave);
        let results = results(self);
        self.b.ins().return_(&results);
        self.b.switch_to_block(stay);
    }

    pub(super) fn give(&mut self, results: &[Value]) {
        self.b.ins().return_(results);
    }
}
