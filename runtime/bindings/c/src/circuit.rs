//! Circuits: made, looked at, saved and freed.

use crate::error::{CallFailure, pelton_status};
use crate::guard::{CallResult, call, check, copy, put, slice, text};
use crate::handle::{circuit, hold, pelton_circuit, release};
use crate::words::c_words;
use pelton::{Circuit, Domain, Engine, Options, Precision, Property, Verdict};
use std::ffi::{c_char, c_int};

/// A text that a circuit from memory may `use`.
#[repr(C)]
pub struct pelton_file {
    /// What `use` calls it.
    pub name: *const c_char,
    /// The text, which ends in 0.
    pub text: *const c_char,
}

/// How a circuit is read and compiled. All 0 is the default.
#[repr(C)]
pub struct pelton_options {
    /// Threads that evaluate and learn; 0 takes as many as there are cores.
    pub threads: usize,
    /// Not 0 if kernels compute in double precision instead of single.
    pub double_precision: u32,
    /// One of `PELTON_ENGINE_…`.
    pub engine: u32,
    /// Not 0 if the numbers that the text fixes are learned too.
    pub learn_all: u32,
    /// Texts that a circuit of `pelton_compile` or `pelton_load_bytes` may use. It reaches
    /// no files. `pelton_load` takes none.
    pub files: *const pelton_file,
    /// Number of `files`.
    pub n_files: usize,
    /// Folders whose files a circuit of `pelton_load` may use, beside those below the folder
    /// of the file that uses them. Circuits from memory take none.
    pub allow_use: *const *const c_char,
    /// Number of folders in `allow_use`.
    pub n_allow_use: usize,
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn pelton_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Compiles a circuit from text that ends in 0. It reaches no files: what it uses is among
/// the `files` of the options. `options` may be null.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_compile(
    source: *const c_char,
    options: *const pelton_options,
    out: *mut *mut pelton_circuit,
) -> pelton_status {
    // SAFETY: the caller's promise.
    unsafe {
        make(options, out, |options| {
            Ok(options.compile(text(source, "the text")?)?)
        })
    }
}

/// Reads a circuit from a file: source, a model file, or a circuit in a foreign format. It may
/// use files below its folder, and those that the options allow. `options` may be null.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_load(
    path: *const c_char,
    options: *const pelton_options,
    out: *mut *mut pelton_circuit,
) -> pelton_status {
    // SAFETY: the caller's promise.
    unsafe {
        make(options, out, |options| {
            Ok(options.load(text(path, "the path")?)?)
        })
    }
}

/// Reads a circuit from the content of such a file. It reaches no other files: what it uses
/// is among the `files` of the options. `options` may be null.
///
/// # Safety
/// `bytes` is null or points to `n_bytes`; other pointers are null or point to what they
/// are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_load_bytes(
    bytes: *const u8,
    n_bytes: usize,
    options: *const pelton_options,
    out: *mut *mut pelton_circuit,
) -> pelton_status {
    let read = |options: &Options| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(bytes, n_bytes, "the array of bytes") }?;
        Ok(options.from_bytes("circuit", bytes)?)
    };
    // SAFETY: likewise.
    unsafe { make(options, out, read) }
}

/// A second handle with parameters of its own. It shares what was compiled and costs next
/// to nothing.
///
/// # Safety
/// `out` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_clone(
    handle: *const pelton_circuit,
    out: *mut *mut pelton_circuit,
) -> pelton_status {
    // SAFETY: the caller's promise.
    unsafe { make(std::ptr::null(), out, |_| circuit(handle)) }
}

/// Frees a circuit. Null is freed already. Calls of other threads that use it end well.
#[unsafe(no_mangle)]
pub extern "C" fn pelton_free(handle: *mut pelton_circuit) -> pelton_status {
    call(|| release(handle))
}

/// Number of variables.
///
/// # Safety
/// `n_variables` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_n_variables(
    handle: *const pelton_circuit,
    n_variables: *mut usize,
) -> pelton_status {
    call(|| {
        let n = circuit(handle)?.variables().len();
        // SAFETY: the caller's promise.
        unsafe { put(n_variables, n, "n_variables") }
    })
}

/// The name of a variable, by its position from 0. Its length, without the 0 behind it, goes
/// to `length` if that is not null; with a null `buffer` and a `capacity` of 0 that is all.
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes, `length` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_variable_name(
    handle: *const pelton_circuit,
    variable: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        let name = &variable_of(&circuit, variable)?.name;
        // SAFETY: the caller's promise.
        unsafe { copy(name, buffer, capacity, length) }
    })
}

/// Number of values of a variable; 0 if they are real or natural numbers.
///
/// # Safety
/// `n_values` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_n_values(
    handle: *const pelton_circuit,
    variable: usize,
    n_values: *mut usize,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        let size = variable_of(&circuit, variable)?.domain.size().unwrap_or(0);
        // SAFETY: the caller's promise.
        unsafe { put(n_values, size as usize, "n_values") }
    })
}

/// The code of a category by its name, as cells hold it.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_category(
    handle: *const pelton_circuit,
    variable: usize,
    name: *const c_char,
    code: *mut f64,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        let own = variable_of(&circuit, variable)?;
        // SAFETY: the caller's promise.
        let name = unsafe { text(name, "the name") }?;
        let Domain::Categories(names) = &own.domain else {
            let message = format!("`{}` has no categories", own.name);
            return Err(CallFailure::usage(message));
        };
        let position = names.iter().position(|known| known == name);
        let position = position.ok_or_else(|| {
            CallFailure::usage(format!("`{name}` is not a category of `{}`", own.name))
        })?;
        // SAFETY: likewise.
        unsafe { put(code, position as f64, "code") }
    })
}

/// Whether the circuit is `smooth`, `decomposable`, `deterministic`, `structured` or
/// `normalized`: 1 if that is proven, 0 if it is refuted. `PELTON_STATUS_UNKNOWN` if the
/// search for an answer was given up.
///
/// # Safety
/// Pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_property(
    handle: *const pelton_circuit,
    property: *const c_char,
    holds: *mut c_int,
) -> pelton_status {
    call(|| {
        let circuit = circuit(handle)?;
        // SAFETY: the caller's promise.
        let name = unsafe { text(property, "the property") }?;
        let property: Property = name
            .parse()
            .map_err(|()| CallFailure::usage(format!("`{name}` is no property")))?;
        let verdict = match circuit.property(property) {
            Verdict::Proven => 1,
            Verdict::Refuted => 0,
            Verdict::Unknown(reason) => {
                return Err(CallFailure::new(pelton_status::Unknown, reason));
            }
            _ => return Err(CallFailure::new(pelton_status::Unknown, "nothing is known")),
        };
        // SAFETY: likewise.
        unsafe { put(holds, verdict, "holds") }
    })
}

/// Saves a circuit with its values: as text if the name ends in `.pcirc`, as a model file if
/// it ends in `.pelton` or has no ending; other endings are refused. The file is replaced
/// whole or not at all.
///
/// # Safety
/// `path` is null or a text that ends in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_save(
    handle: *const pelton_circuit,
    path: *const c_char,
) -> pelton_status {
    call(|| {
        // SAFETY: the caller's promise.
        let path = unsafe { text(path, "the path") }?;
        Ok(circuit(handle)?.save(path)?)
    })
}

/// The text of a circuit with its values. Its length, without the 0 behind it, goes to
/// `length` if that is not null; with a null `buffer` and a `capacity` of 0 that is all.
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes, `length` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pelton_source(
    handle: *const pelton_circuit,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> pelton_status {
    call(|| {
        let source = circuit(handle)?.to_source()?;
        // SAFETY: the caller's promise.
        unsafe { copy(&source, buffer, capacity, length) }
    })
}

/// # Safety
/// `options` is null or points to some, `out` is null or can be written to.
unsafe fn make(
    options: *const pelton_options,
    out: *mut *mut pelton_circuit,
    make: impl FnOnce(&Options) -> CallResult<Circuit>,
) -> pelton_status {
    call(|| {
        check(out, 1, "the place for the circuit")?;
        // SAFETY: not null, aligned, and the caller's promise.
        unsafe { out.write(std::ptr::null_mut()) };
        // SAFETY: the caller's promise.
        let circuit = make(&unsafe { read_options(options) }?)?;
        // SAFETY: not null, aligned, and the caller's promise.
        unsafe { out.write(hold(circuit)) };
        Ok(())
    })
}

/// # Safety
/// `options` is null or points to some.
unsafe fn read_options(options: *const pelton_options) -> CallResult<Options> {
    if options.is_null() {
        return Ok(Options::new().remedy_words(c_words));
    }
    check(options, 1, "the options")?;
    // SAFETY: not null, aligned, and the caller's promise.
    let own = unsafe { &*options };
    let precision = match own.double_precision {
        0 => Precision::F32,
        _ => Precision::F64,
    };
    let engine = Engine::ALL.get(own.engine as usize).copied();
    let engine =
        engine.ok_or_else(|| CallFailure::usage(format!("{} is no engine", own.engine)))?;
    let options = Options::new()
        .remedy_words(c_words)
        .threads(own.threads)
        .precision(precision)
        .engine(engine)
        .learn_all(own.learn_all != 0);
    // SAFETY: the caller's promise.
    unsafe { with_uses(options, own) }
}

/// The options with what the circuit may use.
///
/// # Safety
/// Pointers of `own` are null or point to what they are said to.
unsafe fn with_uses(mut options: Options, own: &pelton_options) -> CallResult<Options> {
    // SAFETY: the caller's promise, here and below.
    for file in unsafe { slice(own.files, own.n_files, "the array of files") }? {
        let name = unsafe { text(file.name, "the name of a file") }?;
        options = options.file(name, unsafe { text(file.text, "the text of a file") }?);
    }
    for &folder in unsafe { slice(own.allow_use, own.n_allow_use, "the array of folders") }? {
        options = options.allow_use(unsafe { text(folder, "the path of a folder") }?);
    }
    Ok(options)
}

fn variable_of(circuit: &Circuit, variable: usize) -> CallResult<&pelton::Variable> {
    let all = circuit.variables();
    all.get(variable).ok_or_else(|| {
        let n = all.len();
        CallFailure::usage(format!(
            "there is no variable {variable}; the circuit has {n}"
        ))
    })
}
