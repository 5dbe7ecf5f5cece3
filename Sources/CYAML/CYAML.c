// The events of libyaml in our own words. Only this file includes its header.

#include "CYAML.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct postkit_yaml_reader {
  yaml_parser_t parser;
  yaml_event_t event;
};

postkit_yaml_reader *postkit_yaml_open(const uint8_t *bytes, size_t length) {
  postkit_yaml_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  if (!yaml_parser_initialize(&reader->parser)) {
    free(reader);
    return NULL;
  }
  // Named, for libyaml would take two odd bytes at the start for UTF-16.
  yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(
      &reader->parser, bytes ? bytes : (const unsigned char *)"", bytes ? length : 0);
  return reader;
}

void postkit_yaml_close(postkit_yaml_reader *reader) {
  if (!reader) return;
  yaml_event_delete(&reader->event);
  yaml_parser_delete(&reader->parser);
  free(reader);
}

static void put_text(postkit_yaml_event *event, const char *text) {
  event->text = (const uint8_t *)text;
  event->length = text ? strlen(text) : 0;
}

// Says why there is no event.
static void put_error(const yaml_parser_t *parser, postkit_yaml_event *event) {
  switch (parser->error) {
    case YAML_READER_ERROR:
      event->kind = POSTKIT_YAML_BAD_BYTE;
      event->offset = parser->problem_offset;
      break;
    case YAML_SCANNER_ERROR:
    case YAML_PARSER_ERROR:
      event->kind = POSTKIT_YAML_BAD_TEXT;
      event->character = parser->problem_mark.index;
      event->context = parser->context;
      break;
    default:
      event->kind = POSTKIT_YAML_NO_MEMORY;
      break;
  }
  put_text(event, parser->problem);
}

static char scalar_style(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return '\'';
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return '"';
    case YAML_LITERAL_SCALAR_STYLE: return '|';
    case YAML_FOLDED_SCALAR_STYLE: return '>';
    default: return ':';
  }
}

static void put_scalar(const yaml_event_t *source, postkit_yaml_event *event) {
  event->kind = POSTKIT_YAML_SCALAR;
  event->style = scalar_style(source->data.scalar.style);
  event->text = source->data.scalar.value;
  event->length = source->data.scalar.length;
  event->tag = (const char *)source->data.scalar.tag;
  event->anchor = (const char *)source->data.scalar.anchor;
}

static void put_event(const yaml_event_t *source, postkit_yaml_event *event) {
  event->character = source->start_mark.index;
  switch (source->type) {
    case YAML_DOCUMENT_START_EVENT:
      event->kind = POSTKIT_YAML_DOCUMENT_START;
      event->is_explicit = !source->data.document_start.implicit;
      break;
    case YAML_DOCUMENT_END_EVENT:
      event->kind = POSTKIT_YAML_DOCUMENT_END;
      event->is_explicit = !source->data.document_end.implicit;
      break;
    case YAML_ALIAS_EVENT:
      event->kind = POSTKIT_YAML_ALIAS;
      event->anchor = (const char *)source->data.alias.anchor;
      break;
    case YAML_SCALAR_EVENT: put_scalar(source, event); break;
    case YAML_SEQUENCE_START_EVENT:
      event->kind = POSTKIT_YAML_SEQUENCE_START;
      event->tag = (const char *)source->data.sequence_start.tag;
      event->anchor = (const char *)source->data.sequence_start.anchor;
      break;
    case YAML_SEQUENCE_END_EVENT: event->kind = POSTKIT_YAML_SEQUENCE_END; break;
    case YAML_MAPPING_START_EVENT:
      event->kind = POSTKIT_YAML_MAPPING_START;
      event->tag = (const char *)source->data.mapping_start.tag;
      event->anchor = (const char *)source->data.mapping_start.anchor;
      break;
    case YAML_MAPPING_END_EVENT: event->kind = POSTKIT_YAML_MAPPING_END; break;
    default: event->kind = POSTKIT_YAML_END; break;
  }
}

void postkit_yaml_next(postkit_yaml_reader *reader, postkit_yaml_event *event) {
  memset(event, 0, sizeof *event);
  do {
    yaml_event_delete(&reader->event);
    if (!yaml_parser_parse(&reader->parser, &reader->event)) {
      put_error(&reader->parser, event);
      return;
    }
  } while (reader->event.type == YAML_STREAM_START_EVENT);
  put_event(&reader->event, event);
}
