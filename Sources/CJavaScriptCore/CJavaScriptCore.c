// Opens JavaScriptCore at run time (see CJavaScriptCore.h).

#include "CJavaScriptCore.h"
#include "CSystem.h"

static postkit_js_functions table;

const postkit_js_functions *postkit_js_open(const char *name, char *message, size_t capacity) {
  void *library = postkit_library_open(name, message, capacity);
  if (library == NULL) return NULL;
  postkit_js_functions filled = {0};
#define POSTKIT_JS_FILL(result, name, parameters)                                         \
  if (!postkit_library_find(library, #name, &filled.name, message, capacity)) return NULL;
#define POSTKIT_JS_FILL_OPTIONAL(result, name, parameters)                                \
  postkit_library_find_optional(library, #name, &filled.name);
  POSTKIT_JS_REQUIRED(POSTKIT_JS_FILL)
  POSTKIT_JS_OPTIONAL(POSTKIT_JS_FILL_OPTIONAL)
  table = filled;
  return &table;
}
