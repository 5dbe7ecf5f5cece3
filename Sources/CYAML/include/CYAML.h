// The events of a YAML text, read with libyaml. No header of libyaml is included here, so that a
// change of library is a change of one C file.

#ifndef POSTKIT_CYAML_H
#define POSTKIT_CYAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What an event is.
typedef enum postkit_yaml_kind {
  POSTKIT_YAML_END,
  POSTKIT_YAML_DOCUMENT_START,
  POSTKIT_YAML_DOCUMENT_END,
  POSTKIT_YAML_ALIAS,
  POSTKIT_YAML_SCALAR,
  POSTKIT_YAML_SEQUENCE_START,
  POSTKIT_YAML_SEQUENCE_END,
  POSTKIT_YAML_MAPPING_START,
  POSTKIT_YAML_MAPPING_END,
  /// The text is no YAML: `text` says why, `context` what was being read.
  POSTKIT_YAML_BAD_TEXT,
  /// A byte is no UTF-8, or no character that YAML allows: `offset` is that byte, `text` says why.
  POSTKIT_YAML_BAD_BYTE,
  POSTKIT_YAML_NO_MEMORY,
} postkit_yaml_kind;

/// An event. Its texts live until the next one is asked for.
typedef struct postkit_yaml_event {
  postkit_yaml_kind kind;
  /// How a scalar is written: `:` plain, `'` and `"` quoted, `|` and `>` as a block.
  char style;
  /// Whether a document has its `---` or `...`.
  bool is_explicit;
  /// Where the event begins, in characters from the start of the text.
  size_t character;
  /// The byte of `POSTKIT_YAML_BAD_BYTE`.
  size_t offset;
  /// The value of a scalar in UTF-8, or what is wrong.
  const uint8_t *_Nullable text;
  size_t length;
  /// The tag with its handle resolved.
  const char *_Nullable tag;
  /// The name behind `&`, or behind `*` of an alias.
  const char *_Nullable anchor;
  /// What was being read when `POSTKIT_YAML_BAD_TEXT` was found.
  const char *_Nullable context;
} postkit_yaml_event;

/// A reader of events.
typedef struct postkit_yaml_reader postkit_yaml_reader;

/// Begins to read a text in UTF-8 without byte order mark, which must outlive the reader; `NULL`
/// where there is no memory.
postkit_yaml_reader *_Nullable postkit_yaml_open(const uint8_t *_Nullable bytes, size_t length);

/// Reads the next event. After the end or an error there is none.
void postkit_yaml_next(
    postkit_yaml_reader *_Nonnull reader, postkit_yaml_event *_Nonnull event);

/// Frees a reader and its last event.
void postkit_yaml_close(postkit_yaml_reader *_Nullable reader);

#endif
