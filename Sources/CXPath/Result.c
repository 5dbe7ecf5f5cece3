// Results: their failures, and the memory of their texts.

#include "Parts.h"

#include <stdlib.h>
#include <string.h>

postkit_xpath_result postkit_xpath_failed(postkit_xpath_kind kind) {
  return (postkit_xpath_result){.kind = kind};
}

bool postkit_xpath_set_text(postkit_xpath_result *result, const char *text, size_t length) {
  result->text = malloc(length + 1);
  if (result->text == NULL) {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
    return false;
  }
  memcpy(result->text, text, length);
  result->text[length] = 0;
  result->length = length;
  return true;
}

void postkit_xpath_take_text(postkit_xpath_result *result, xmlChar *text) {
  if (text == NULL) {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
    return;
  }
  postkit_xpath_set_text(result, (const char *)text, strlen((const char *)text));
  (*postkit_xml.release)(text);
}

void postkit_xpath_free(postkit_xpath_result *result) {
  free(result->text);
  result->text = NULL;
}
