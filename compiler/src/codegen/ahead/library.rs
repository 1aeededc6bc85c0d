//! The module in the making: functions are declared when they are first called, and
//! written one after the other.

use super::emitter::{GeneratedFunction, GeneratedType, IrEmitter, NumberKind};
use crate::codegen::CodegenError;
use crate::codegen::isa::CodegenTarget;
use crate::codegen::link::memory_error;
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module};
use rustc_hash::FxHashMap;

/// An object, or in tests a module of the just-in-time compiler.
pub(crate) struct FunctionLibrary<'a> {
    pub(super) module: &'a mut dyn Module,
    pub(super) target: &'a CodegenTarget,
    /// Bytes of code that were written here.
    pub(super) code_bytes: usize,
    known: FxHashMap<String, FuncId>,
    data: FxHashMap<&'static str, DataId>,
    /// Declared, but not written yet.
    open: Vec<(FuncId, GeneratedFunction)>,
    /// What went wrong where nobody could be told.
    fault: Option<CodegenError>,
}

impl<'a> FunctionLibrary<'a> {
    pub(super) fn new(module: &'a mut dyn Module, target: &'a CodegenTarget) -> Self {
        FunctionLibrary {
            module,
            target,
            code_bytes: 0,
            known: FxHashMap::default(),
            data: FxHashMap::default(),
            open: Vec::new(),
            fault: None,
        }
    }

    /// The function that a program calls by a name, which ends in a return.
    pub(super) fn public(
        &mut self,
        name: &str,
        function: GeneratedFunction,
    ) -> Result<(), CodegenError> {
        let id = self.declare(name, Linkage::Export, &function)?;
        self.known.insert(function.name.to_string(), id);
        self.define(id, function)
    }

    /// Writes the body of a function that was declared, and of all that it calls.
    pub(super) fn define(
        &mut self,
        id: FuncId,
        function: GeneratedFunction,
    ) -> Result<(), CodegenError> {
        self.open.push((id, function));
        while let Some((id, function)) = self.open.pop() {
            self.write(id, &function)?;
        }
        self.fault.take().map_or(Ok(()), Err)
    }

    pub(super) fn declare(
        &mut self,
        name: &str,
        linkage: Linkage,
        function: &GeneratedFunction,
    ) -> Result<FuncId, CodegenError> {
        let signature = self.signature(function);
        let declared = self.module.declare_function(name, linkage, &signature);
        let id = declared.map_err(memory_error)?;
        self.known.insert(name.to_string(), id);
        Ok(id)
    }

    /// A function that is called: one to be written, one that was given, or else C's.
    pub(super) fn find(&mut self, function: &GeneratedFunction) -> FuncId {
        let (name, linkage) = match function.body {
            Some(_) => (function.name, Linkage::Local),
            None => (function.short_name(), Linkage::Import),
        };
        if let Some(&id) = self.known.get(name) {
            return id;
        }
        let id = self.declare(name, linkage, function);
        let id = id.unwrap_or_else(|error| {
            self.fault = Some(error);
            FuncId::from_u32(0)
        });
        if function.body.is_some() {
            self.open.push((id, function.clone()));
        }
        id
    }

    /// Defines a function of a frame that calls others with it, one after the other.
    pub(super) fn sequence(
        &mut self,
        name: &'static str,
        drivers: &[FuncId],
    ) -> Result<(), CodegenError> {
        let function = GeneratedFunction {
            name,
            takes: vec![<*const u8>::KIND],
            gives: NumberKind::Nothing,
            body: None,
        };
        let id = self.declare(name, Linkage::Local, &function)?;
        let (mut context, mut scratch) = (Context::new(), FunctionBuilderContext::new());
        context.func.signature = self.signature(&function);
        let mut b = FunctionBuilder::new(&mut context.func, &mut scratch);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let frame = b.block_params(entry)[0];
        for &driver in drivers {
            let driver = self.module.declare_func_in_func(driver, b.func);
            b.ins().call(driver, &[frame]);
        }
        b.ins().return_(&[]);
        b.seal_all_blocks();
        b.finalize(self.target.isa.frontend_config());
        self.finish(id, context, name)
    }

    fn finish(&mut self, id: FuncId, mut context: Context, name: &str) -> Result<(), CodegenError> {
        let defined = self.module.define_function(id, &mut context);
        defined.map_err(|error| CodegenError::Compile {
            function: name.to_string(),
            reason: error.to_string(),
        })?;
        let code = context.compiled_code();
        self.code_bytes += code.map_or(0, |code| code.code_buffer().len());
        Ok(())
    }

    fn signature(&self, function: &GeneratedFunction) -> Signature {
        let parameters = |kinds: &[NumberKind]| {
            kinds
                .iter()
                .filter_map(NumberKind::machine)
                .map(AbiParam::new)
                .collect()
        };
        let mut signature = Signature::new(self.module.isa().default_call_conv());
        signature.params = parameters(&function.takes);
        signature.returns = parameters(&[function.gives]);
        signature
    }

    fn write(&mut self, id: FuncId, function: &GeneratedFunction) -> Result<(), CodegenError> {
        let (mut context, mut scratch) = (Context::new(), FunctionBuilderContext::new());
        context.func.signature = self.signature(function);
        IrEmitter::write(self, (&mut context.func, &mut scratch), function);
        self.finish(id, context, function.name)
    }

    /// Constant data of the object's own, which functions find by its name.
    pub(super) fn data(&mut self, name: &'static str, bytes: &[u8]) -> Result<(), CodegenError> {
        let id = self.module.declare_data(name, Linkage::Local, false, false);
        let id = id.map_err(memory_error)?;
        self.data.insert(name, id);
        self.define_data(id, bytes.to_vec())
    }

    /// The data of a name; it was defined before what asks for it.
    pub(super) fn data_named(&self, name: &str) -> DataId {
        self.data[name]
    }

    pub(super) fn define_data(
        &mut self,
        id: DataId,
        mut bytes: Vec<u8>,
    ) -> Result<(), CodegenError> {
        // No symbol is of length zero.
        if bytes.is_empty() {
            bytes.push(0);
        }
        let mut data = DataDescription::new();
        data.define(bytes.into_boxed_slice());
        data.set_align(64);
        self.module.define_data(id, &data).map_err(memory_error)
    }
}
