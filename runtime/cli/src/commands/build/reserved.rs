//! Names that a circuit in C should not have.
//!
//! A circuit NAME gets `NAME.h`, `libNAME.a`, functions `NAME_…` and constants `NAME_OK`: a
//! header that shadows one of C's is found in its place, `libm.a` in place of the
//! mathematical library, and `X_OK` is a constant of POSIX.

/// Whether a name means something else in C programs; letters of both cases are alike,
/// because constants and guards of headers have capitals.
pub fn is_taken(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let taken = [WORDS, HEADERS, LIBRARIES, FUNCTIONS];
    let mut taken = taken.into_iter().flat_map(str::split_whitespace);
    name.len() == 1 || taken.any(|word| word == name)
}

/// Words of C and C++.
const WORDS: &str = "
    auto bool break case catch char class const continue default delete do double else enum
    explicit export extern false float for friend goto if inline int long mutable namespace new
    null operator private protected public register restrict return short signed sizeof static
    struct switch template this throw true try typedef typename union unsigned using virtual
    void volatile while
";

/// Headers of C and POSIX.
const HEADERS: &str = "
    assert complex ctype dirent dlfcn errno fcntl fenv features float inttypes iso646 limits
    locale malloc math memory netdb poll pthread regex sched semaphore setjmp signal spawn
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings
    syslog termios tgmath threads time uchar unistd values wchar wctype
";

/// Libraries that most systems have.
const LIBRARIES: &str = "crypt dl gcc rt stdc util";

/// What every program has, and what objects call.
const FUNCTIONS: &str = "calloc exit exp fma free log log2 main nan";
