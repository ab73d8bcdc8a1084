// What is used here of the toolchain's libIndexStore, which reads what a compiler has noted of the names in a file.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct { const char *data; size_t length; } indexstore_string_ref_t;
typedef void *indexstore_t;
typedef void *indexstore_error_t;
typedef void *indexstore_record_reader_t;
typedef void *indexstore_occurrence_t;
typedef void *indexstore_symbol_t;

indexstore_t indexstore_store_create(const char *path, indexstore_error_t *error);
indexstore_record_reader_t indexstore_record_reader_create(
  indexstore_t store, const char *name, indexstore_error_t *error);
void indexstore_record_reader_dispose(indexstore_record_reader_t reader);
bool indexstore_record_reader_occurrences_apply_f(
  indexstore_record_reader_t reader, void *context, bool (*each)(void *context, indexstore_occurrence_t occurrence));
uint64_t indexstore_occurrence_get_roles(indexstore_occurrence_t occurrence);
indexstore_symbol_t indexstore_occurrence_get_symbol(indexstore_occurrence_t occurrence);
void indexstore_occurrence_get_line_col(indexstore_occurrence_t occurrence, unsigned *line, unsigned *column);
indexstore_string_ref_t indexstore_symbol_get_usr(indexstore_symbol_t symbol);
