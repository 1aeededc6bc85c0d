//! Functions that are Rust and Cranelift IR at once.
//!
//! Objects that `pelton build` makes compute what the library computes, on machines that
//! nobody has a Rust compiler for at hand. So that a formula need not be written twice, an
//! attribute reads the body of a Rust function and adds a type of the same name whose
//! function `emit` writes that body through `codegen::ahead::emitter`. As types and
//! functions have names of their own, whoever imports one imports both.
//!
//! [`also_generated`] keeps the function, which the library calls; [`only_generated`] is
//! for what objects alone do. A function without a body is one that the object has from
//! elsewhere: from C's library or given by hand.
//!
//! # The subset
//!
//! * Types: floats, integers, `bool`, raw pointers, and references, which are pointers.
//! * Statements: `let` (also of tuples, part by part), assignments, `while`,
//!   `for x in a..b`, `if` and `else`, `return`.
//! * Expressions: arithmetic, comparisons, `&&`, `||`, casts with `as` and `f64::from`,
//!   places (`*p`, `p.field`, `(*p).field[3]`), their addresses, the methods in
//!   `body::METHODS` and calls of other functions with one of these attributes.
//! * `for x in lanes(n)` takes numbers below `n` four at a time: what is loaded by `x` is a
//!   vector, arithmetic on it is, too, and an `if` chooses number by number. Functions that
//!   are called there with `#[inline]` are written for vectors, others called four times.
//!
//! What mentions no parameter and no variable is *constant*: plain Rust that runs when code
//! is generated. A `for` over constants is unrolled, and an `if` on one decides then. A call
//! without arguments is never constant.

mod body;

use body::{BodyWriter, code, generated_type};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, Ident, Pat, ReturnType, TraitItemFn, Type, Visibility};

/// Keeps a function and adds what writes it into objects.
#[proc_macro_attribute]
pub fn also_generated(
    _: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let plain = TokenStream::from(item.clone());
    let emitted = expand(item.into());
    quote!(#plain #emitted).into()
}

/// Makes of a function what writes it into objects, and nothing else.
#[proc_macro_attribute]
pub fn only_generated(
    _: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(item.into()).into()
}

/// A function with or without a body.
struct MarkedFunction {
    visibility: Visibility,
    function: TraitItemFn,
}

impl syn::parse::Parse for MarkedFunction {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let mut function: TraitItemFn = input.parse()?;
        function.attrs = attributes;
        Ok(MarkedFunction {
            visibility,
            function,
        })
    }
}

/// The type of the same name, or what is wrong and where.
fn expand(item: TokenStream) -> TokenStream {
    let written = syn::parse2(item).and_then(|item| companion(&item));
    written.unwrap_or_else(|error| error.to_compile_error())
}

fn companion(item: &MarkedFunction) -> syn::Result<TokenStream> {
    let signature = &item.function.sig;
    let (visibility, name) = (&item.visibility, &signature.ident);
    let parameters = signature.inputs.iter().map(parameter);
    let parameters = parameters.collect::<syn::Result<Vec<_>>>()?;
    let (names, types): (Vec<Ident>, Vec<Type>) = parameters.into_iter().unzip();
    let result = match &signature.output {
        ReturnType::Default => syn::parse_quote!(()),
        ReturnType::Type(_, result) => generated_type(result),
    };
    let (mut generics, mut bounds) = (Vec::new(), Vec::new());
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Type(parameter) => {
                generics.push(&parameter.ident);
                bounds.push(&parameter.bounds);
            }
            other => return Err(syn::Error::new(other.span(), "only types can vary")),
        }
    }
    let emitter = code!(crate::codegen::ahead::emitter);
    let (body, is_inline) = (item.function.default.as_ref(), is_inline(item));
    let written = match body {
        Some(block) => BodyWriter::new(&names, &result).function(block)?,
        None => code!(unreachable!("it has no body")),
    };
    let has_body = body.is_some();
    let numbers = 0..names.len();
    let call = if is_inline {
        code!(Self::body(e, #(#names),*))
    } else {
        code!(#emitter::IrNumber::of(e.call(&Self::function(), &[#(#names.shape),*])))
    };
    let declared = if generics.is_empty() {
        code!(#visibility enum #name {})
    } else {
        code!(#visibility struct #name<#(#generics),*> {
            generics: std::marker::PhantomData<(#(#generics),*)>,
        })
    };
    let own_lifetime = code!(e: &mut #emitter::IrEmitter<'_, '_>);
    Ok(code! {
        #[cfg(feature = "build")]
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, dead_code)]
        #declared

        #[cfg(feature = "build")]
        #[allow(clippy::all, dead_code, unused_variables, unused_braces, unreachable_code)]
        impl<#(#generics: #emitter::GeneratedType<As = #generics> + #bounds),*> #name<#(#generics),*> {
            /// Writes a call, or the body in its place.
            pub(crate) fn emit(#own_lifetime #(, #names: #emitter::IrNumber<#types>)*) -> #emitter::IrNumber<#result> {
                #call
            }

            fn body(#own_lifetime #(, #names: #emitter::IrNumber<#types>)*) -> #emitter::IrNumber<#result> {
                #written
            }

            /// What a module needs to know of the function.
            pub(crate) fn function() -> #emitter::GeneratedFunction {
                #emitter::GeneratedFunction {
                    name: std::any::type_name::<Self>(),
                    takes: vec![#(<#types as #emitter::GeneratedType>::KIND),*],
                    gives: <#result as #emitter::GeneratedType>::KIND,
                    body: #has_body.then_some(|e, arguments| {
                        let result = Self::body(e #(, #emitter::IrNumber::of(arguments[#numbers]))*);
                        e.leave(result);
                    }),
                }
            }
        }
    })
}

fn parameter(argument: &FnArg) -> syn::Result<(Ident, Type)> {
    match argument {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) if name.mutability.is_none() => {
                Ok((name.ident.clone(), generated_type(&typed.ty)))
            }
            other => Err(syn::Error::new(other.span(), "parameters are plain names")),
        },
        FnArg::Receiver(this) => Err(syn::Error::new(
            this.span(),
            "only free functions can be generated",
        )),
    }
}

fn is_inline(item: &MarkedFunction) -> bool {
    let mut attributes = item.function.attrs.iter();
    attributes.any(|attribute| attribute.path().to_token_stream().to_string() == "inline")
}

#[cfg(test)]
mod tests {
    use super::expand;
    use quote::quote;

    #[test]
    fn what_is_outside_the_subset_is_an_error() {
        for (item, wanted) in [
            (
                quote!(
                    fn f(x: f64) -> f64 {
                        x.tanh()
                    }
                ),
                "`tanh` is none of",
            ),
            (
                quote!(
                    fn f(x: f64) -> f64 {
                        match x {
                            y => y,
                        }
                    }
                ),
                "not generated",
            ),
            (
                quote!(
                    fn f(x: f64) {
                        loop {}
                    }
                ),
                "not generated",
            ),
            (
                quote!(
                    fn f(x: f64) {
                        println!("{x}");
                    }
                ),
                "not generated",
            ),
            (
                quote!(
                    fn f(p: *const f64, n: usize) -> f64 {
                        (*p)[n]
                    }
                ),
                "constant index",
            ),
            (
                quote!(
                    fn f(x: f64) {
                        let [a, b] = x;
                    }
                ),
                "plain names",
            ),
            (
                quote!(
                    fn f(self) {}
                ),
                "free functions",
            ),
            (
                quote!(
                    fn f<const N: usize>() {}
                ),
                "only types",
            ),
        ] {
            let expanded = expand(item.clone()).to_string();
            let is_error = expanded.contains("compile_error");
            assert!(is_error && expanded.contains(wanted), "{item}: {expanded}");
        }
    }

    #[test]
    fn what_is_inside_is_none() {
        let item = quote! {
            pub(crate) unsafe fn f<R>(rows: *const R, n: usize, chance: &Chance) -> f64 {
                let (mut sum, half) = (0.0, 0.5);
                for row in 0..n {
                    sum += *rows.add(row) as f64 * chance.p;
                }
                for &c in SERIES.iter().rev() {
                    sum = sum * half + c;
                }
                if sum.is_nan() { return 1.0; }
                sum
            }
        };
        let expanded = expand(item).to_string();
        assert!(!expanded.contains("compile_error"), "{expanded}");
    }
}
