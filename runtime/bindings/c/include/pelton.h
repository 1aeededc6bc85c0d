// Pelton for C: probabilistic circuits, compiled, asked and trained.
//
// Every function that can fail returns a status and leaves results in places of the caller;
// `pelton_last_error` says what went wrong. Circuits may be used by many threads at once.

#ifndef PELTON_H
#define PELTON_H

// This file is made by cbindgen from the library's sources; do not edit it.

#include <stddef.h>
#include <stdint.h>

// The fastest that this machine has.
#define PELTON_ENGINE_AUTO 0

// Compiled code of 128-bit vectors, on every machine.
#define PELTON_ENGINE_CRANELIFT 1

// Compiled code that calls kernels of 256-bit vectors.
#define PELTON_ENGINE_WIDE 2

// Plain evaluation in log space, row by row; slow.
#define PELTON_ENGINE_REFERENCE 3


// Cells are `double`.
#define PELTON_F64 0

// Cells are `float`.
#define PELTON_F32 1

// The closed form where it is exact, otherwise EM.
#define PELTON_METHOD_AUTO 0

// The most likely parameters in closed form.
#define PELTON_METHOD_MLE 1

// Expectation maximisation.
#define PELTON_METHOD_EM 2

// A run starts at random.
#define PELTON_START_RANDOM 0

// Rows are clustered, and sums choose their children by cluster.
#define PELTON_START_KMEANS 1

// A run goes on from the parameters that the circuit has.
#define PELTON_START_KEEP 2

// How a call ended. The numbers up to 5 are the exit codes of the command `pelton`.
typedef enum pelton_status {
  // All is well.
  PELTON_STATUS_OK = 0,
  // The circuit is wrong, or does not allow what is asked.
  PELTON_STATUS_CIRCUIT = 1,
  // An argument is wrong, or a file cannot be read or written.
  PELTON_STATUS_USAGE = 2,
  // Data do not fit the circuit, or what is given has probability zero.
  PELTON_STATUS_DATA = 3,
  // A result is not a number.
  PELTON_STATUS_NUMERIC = 4,
  // A property stayed unknown.
  PELTON_STATUS_UNKNOWN = 5,
  // The handle is null, was freed, or was never one.
  PELTON_STATUS_HANDLE = 6,
  // Another call is about to change the parameters of this circuit.
  PELTON_STATUS_BUSY = 7,
  // A bug in Pelton.
  PELTON_STATUS_BUG = 101,
} pelton_status;

// A circuit. It may be used by many threads at once.
typedef struct pelton_circuit pelton_circuit;

// A message about a circuit or a question. The texts belong to the library and live until
// the next call of the same thread.
typedef struct pelton_diagnostic {
  // The stable code, such as `PC0103`.
  const char *code;
  // `error`, `warning` or `note`.
  const char *severity;
  // One sentence that names the thing at fault.
  const char *message;
  // The way out; null if there is none in words.
  const char *help;
  // The message as a terminal shows it, with the text it is about.
  const char *rendered;
  // What the text is called; null if the message has no place.
  const char *file;
  // Line, from 1; 0 if the message has no place.
  size_t line;
  // Column in characters, from 1; 0 if the message has no place.
  size_t column;
} pelton_diagnostic;

// A text that a circuit from memory may `use`.
typedef struct pelton_file {
  // What `use` calls it.
  const char *name;
  // The text, which ends in 0.
  const char *text;
} pelton_file;

// How a circuit is read and compiled. All 0 is the default.
typedef struct pelton_options {
  // Threads that evaluate and learn; 0 takes as many as there are cores.
  size_t threads;
  // Not 0 if kernels compute in double precision instead of single.
  uint32_t double_precision;
  // One of `PELTON_ENGINE_…`.
  uint32_t engine;
  // Not 0 if the numbers that the text fixes are learned too.
  uint32_t learn_all;
  // Texts that a circuit of `pelton_compile` or `pelton_load_bytes` may use. It reaches
  // no files. `pelton_load` takes none.
  const struct pelton_file *files;
  // Number of `files`.
  size_t n_files;
  // Folders whose files a circuit of `pelton_load` may use, beside those below the folder
  // of the file that uses them. Circuits from memory take none.
  const char *const *allow_use;
  // Number of folders in `allow_use`.
  size_t n_allow_use;
} pelton_options;

// Rows of cells, which belong to the caller. What is left 0 or null has its usual meaning.
typedef struct pelton_batch {
  // The cells, row by row. NaN is missing. Of a `bool` variable 0 or 1, of categories
  // the position in which they are declared, from 0.
  const void *cells;
  // `PELTON_F64` or `PELTON_F32`.
  uint32_t cell_type;
  // Number of rows.
  size_t n_rows;
  // Number of columns.
  size_t n_columns;
  // A byte for each cell, row by row: not 0 where the cell is missing, whatever it
  // holds. May be null.
  const uint8_t *mask;
  // The variables that the columns are; all others are missing. If null, columns are
  // the variables in their order.
  const char *const *names;
  // Cells from a row to the next; 0 if there are no gaps, which is `n_columns` times the
  // stride of columns. Rows may overlap.
  size_t row_stride;
  // Cells from a column to the next; 0 if there are no gaps, which is 1, whatever the
  // stride of rows.
  size_t column_stride;
} pelton_batch;

// How parameters are learned. `pelton_fit_defaults` fills it in.
typedef struct pelton_fit_options {
  // One of `PELTON_METHOD_…`.
  uint32_t method;
  // One of `PELTON_START_…`.
  uint32_t start;
  // Rows that every vector of probabilities is given in advance.
  double pseudocount;
  // How much of every observed cell of a finite domain is noise.
  double softness;
  // How much the entropy counts beside the mean log-likelihood.
  double entropy;
  // Epochs of mini-batches, which come first.
  size_t minibatch_epochs;
  // Epochs over all rows at once.
  size_t fullbatch_epochs;
  // Rows of a mini-batch.
  size_t batch_size;
  // Epochs without a better validation likelihood after which a phase ends.
  size_t patience;
  // A full-batch epoch that raises the objective by less ends the phase.
  double tolerance;
  // The seed of everything that is drawn.
  uint64_t seed;
} pelton_fit_options;

// How far training has come.
typedef struct pelton_progress {
  // Number of the epoch, from 1.
  size_t epoch;
  // The most epochs that there can be.
  size_t n_epochs;
  // Rows of the epoch that are done.
  size_t rows_done;
  // Rows of an epoch.
  size_t n_rows;
  // 1 if the epoch has just ended, otherwise 0.
  int has_ended;
  // Mean log-likelihood of the training rows of an epoch that has ended, otherwise NaN.
  double train_ll;
  // The same of validation rows; NaN without any.
  double valid_ll;
} pelton_progress;

// Is told how far training has come, within epochs and at the end of each. What is not 0
// stops the run. It may evaluate the circuit, which still has its old parameters; changing
// them is `PELTON_STATUS_BUSY`. It must return, and not by `longjmp` or an exception.
typedef int (*pelton_callback)(const struct pelton_progress *progress, void *user);

// What is known of a run that has ended.
typedef struct pelton_report {
  // Epochs that were done.
  size_t n_epochs;
  // The epoch whose parameters were kept.
  size_t best_epoch;
  // Mean log-likelihood of the training rows under the parameters that were kept.
  double train_ll;
  // The same of validation rows; NaN without any.
  double valid_ll;
  // 1 if the callback stopped the run, otherwise 0.
  int was_stopped;
} pelton_report;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What went wrong in the last call of this thread, in one sentence; empty if nothing did.
// The text lives until the next call of the same thread.
const char *pelton_last_error(void);

// Number of messages about the circuit or the question that the last call of this thread
// refused.
size_t pelton_last_diagnostics(void);

// One of these messages, by its number from 0. Does not count as a call.
enum pelton_status pelton_last_diagnostic(size_t number, struct pelton_diagnostic *diagnostic);

// The cell, from 0, that the last call of this thread refused because it is no value of its
// variable. Does not count as a call.
enum pelton_status pelton_last_cell(size_t *row, size_t *column);

// The version of the library.
const char *pelton_version(void);

// Compiles a circuit from text that ends in 0. It reaches no files: what it uses is among
// the `files` of the options. `options` may be null.
enum pelton_status pelton_compile(const char *source,
                                  const struct pelton_options *options,
                                  struct pelton_circuit **out);

// Reads a circuit from a file: source, a model file, or a circuit in a foreign format. It may
// use files below its folder, and those that the options allow. `options` may be null.
enum pelton_status pelton_load(const char *path,
                               const struct pelton_options *options,
                               struct pelton_circuit **out);

// Reads a circuit from the content of such a file. It reaches no other files: what it uses
// is among the `files` of the options. `options` may be null.
enum pelton_status pelton_load_bytes(const uint8_t *bytes,
                                     size_t n_bytes,
                                     const struct pelton_options *options,
                                     struct pelton_circuit **out);

// A second handle with parameters of its own. It shares what was compiled and costs next
// to nothing.
enum pelton_status pelton_clone(const struct pelton_circuit *handle, struct pelton_circuit **out);

// Frees a circuit. Null is freed already. Calls of other threads that use it end well.
enum pelton_status pelton_free(struct pelton_circuit *handle);

// Number of variables.
enum pelton_status pelton_n_variables(const struct pelton_circuit *handle, size_t *n_variables);

// The name of a variable, by its position from 0. Its length, without the 0 behind it, goes
// to `length` if that is not null; with a null `buffer` and a `capacity` of 0 that is all.
enum pelton_status pelton_variable_name(const struct pelton_circuit *handle,
                                        size_t variable,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *length);

// Number of values of a variable; 0 if they are real or natural numbers.
enum pelton_status pelton_n_values(const struct pelton_circuit *handle,
                                   size_t variable,
                                   size_t *n_values);

// The code of a category by its name, as cells hold it.
enum pelton_status pelton_category(const struct pelton_circuit *handle,
                                   size_t variable,
                                   const char *name,
                                   double *code);

// Whether the circuit is `smooth`, `decomposable`, `deterministic`, `structured` or
// `normalized`: 1 if that is proven, 0 if it is refuted. `PELTON_STATUS_UNKNOWN` if the
// search for an answer was given up.
enum pelton_status pelton_property(const struct pelton_circuit *handle,
                                   const char *property,
                                   int *holds);

// Saves a circuit with its values: as text if the name ends in `.pcirc`, as a model file if
// it ends in `.pelton` or has no ending; other endings are refused. The file is replaced
// whole or not at all.
enum pelton_status pelton_save(const struct pelton_circuit *handle, const char *path);

// The text of a circuit with its values. Its length, without the 0 behind it, goes to
// `length` if that is not null; with a null `buffer` and a `capacity` of 0 that is all.
enum pelton_status pelton_source(const struct pelton_circuit *handle,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *length);

// The natural logarithm of the probability, or density, of what each row has observed;
// -infinity for impossible ones. Missing cells are summed out. `n_logs` is the number of
// rows. After an error nothing is known of what `logs` holds.
enum pelton_status pelton_log_likelihood(const struct pelton_circuit *handle,
                                         const struct pelton_batch *rows,
                                         double *logs,
                                         size_t n_logs);

// The natural logarithm of the circuit's mass: 0 if it is normalized. All answers are divided
// by the mass; only the likelihoods of a circuit that counts (all leaves are indicators, all
// weights are 1) are not, which are numbers of models. An error where the mass is zero or
// infinite.
enum pelton_status pelton_log_mass(const struct pelton_circuit *handle, double *log_mass);

// The same as `pelton_log_likelihood` given what the row of the same number of `evidence`
// has observed: -infinity where the row contradicts it, NaN where the evidence is impossible.
enum pelton_status pelton_log_conditional(const struct pelton_circuit *handle,
                                          const struct pelton_batch *rows,
                                          const struct pelton_batch *evidence,
                                          double *logs,
                                          size_t n_logs);

// Answers a question such as `P(rain | wet, temp <= 10)` exactly. `is_density` may be null;
// it becomes 1 if the answer is a density.
enum pelton_status pelton_query(const struct pelton_circuit *handle,
                                const char *question,
                                double *log,
                                int *is_density);

// Asks a question by the name of its command, such as `entropy`, `mi` or `kl`. `arguments` is
// an object of JSON with the options of the command (null for none), `other` the second circuit
// of questions about two (else null). The answer is the object of JSON that the command prints.
// Its length, without the 0 behind it, goes to `length` if that is not null; with a null
// `buffer` and a `capacity` of 0 that is all.
enum pelton_status pelton_ask(const struct pelton_circuit *handle,
                              const struct pelton_circuit *other,
                              const char *question,
                              const char *arguments,
                              char *buffer,
                              size_t capacity,
                              size_t *length);

// How many numbers `pelton_posteriors` gives for a variable: one for each value, 2 (mean
// and standard deviation) where there are too many, 0 if no unit mentions the variable.
enum pelton_status pelton_n_posterior(const struct pelton_circuit *handle,
                                      size_t variable,
                                      size_t *n_numbers);

// What every variable is, given what each row of `evidence` has observed and the event
// `given` (null or empty for none). For each row the numbers of all variables stand one
// after the other, as many as `pelton_n_posterior` says; `n_numbers` is how many there
// are in all. Impossible rows have NaN. `log_evidence` is null or has room for a number for
// each row: the logarithm of the probability of its evidence.
enum pelton_status pelton_posteriors(const struct pelton_circuit *handle,
                                     const struct pelton_batch *evidence,
                                     const char *given,
                                     double *numbers,
                                     size_t n_numbers,
                                     double *log_evidence);

// The most probable values of what each row of `evidence` has not observed, given an event
// (null or empty for none). `n_values` is the number of rows times that of variables.
// `logs` and `is_exact` are null or have room for a number for each row: the logarithm of
// the completion's probability given the evidence, and 1 if none is more probable. Impossible
// rows have NaN; rows whose density grows without bound, so that there is no maximum, have
// NaN with an infinite logarithm.
enum pelton_status pelton_map(const struct pelton_circuit *handle,
                              const struct pelton_batch *evidence,
                              const char *given,
                              double *values,
                              size_t n_values,
                              double *logs,
                              uint8_t *is_exact);

// Draws samples of all variables, given an event (null or empty for none). `n_values` is the
// number of samples times that of variables.
enum pelton_status pelton_sample(const struct pelton_circuit *handle,
                                 size_t n_samples,
                                 uint64_t seed,
                                 const char *given,
                                 double *values,
                                 size_t n_values);

// Draws `n_each` samples for each row of what goes with what it has observed, given an event
// (null or empty for none); those of a row stand together. `n_values` is the number of rows
// times `n_each` times the number of variables. Impossible rows have NaN.
enum pelton_status pelton_sample_rows(const struct pelton_circuit *handle,
                                      const struct pelton_batch *evidence,
                                      size_t n_each,
                                      uint64_t seed,
                                      const char *given,
                                      double *values,
                                      size_t n_values);

// The entropy of all variables in nats, exactly; `PELTON_STATUS_CIRCUIT` where the circuit
// is neither deterministic nor small.
enum pelton_status pelton_entropy(const struct pelton_circuit *handle, double *nats);

// The mean and variance of each variable, given an event (null or empty for none); NaN for
// categories. `n_variables` is the number of variables.
enum pelton_status pelton_moments(const struct pelton_circuit *handle,
                                  const char *given,
                                  double *means,
                                  double *variances,
                                  size_t n_variables);

// Number of parameters, each of which has one or more values.
enum pelton_status pelton_n_parameters(const struct pelton_circuit *handle, size_t *n_parameters);

// The name of a parameter, by its position from 0. Its length, without the 0 behind it, goes
// to `length` if that is not null; with a null `buffer` and a `capacity` of 0 that is all.
enum pelton_status pelton_parameter_name(const struct pelton_circuit *handle,
                                         size_t parameter,
                                         char *buffer,
                                         size_t capacity,
                                         size_t *length);

// Number of values of a parameter.
enum pelton_status pelton_parameter_size(const struct pelton_circuit *handle,
                                         const char *name,
                                         size_t *n_values);

// The values of a parameter, of a probability the one number. `n_values` is how many there
// are.
enum pelton_status pelton_get_parameter(const struct pelton_circuit *handle,
                                        const char *name,
                                        double *values,
                                        size_t n_values);

// Gives a parameter other values. Probabilities have to add up to 1, and what the text
// fixes has to stay, unless the circuit was read with `learn_all`.
enum pelton_status pelton_set_parameter(struct pelton_circuit *handle,
                                        const char *name,
                                        const double *values,
                                        size_t n_values);

// Fills in the defaults.
enum pelton_status pelton_fit_defaults(struct pelton_fit_options *options);

// Learns the parameters from rows. `weights` is null or has one for each row; `valid`,
// `options`, `callback` and `report` may be null. Evaluation goes on meanwhile with the old
// parameters. If the run fails, or is stopped before its first epoch has ended, they stay.
enum pelton_status pelton_fit(struct pelton_circuit *handle,
                              const struct pelton_batch *train,
                              const double *weights,
                              const struct pelton_batch *valid,
                              const struct pelton_fit_options *options,
                              pelton_callback callback,
                              void *user,
                              struct pelton_report *report);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PELTON_H */
