// JavaScriptCore's C interface, as far as the script engine calls it, declared in our own words and
// opened at run time: neither its headers nor the library are needed to build the program.

#ifndef POSTKIT_CJAVASCRIPTCORE_H
#define POSTKIT_CJAVASCRIPTCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The virtual machine: contexts that share its heap and its thread.
typedef const struct postkit_js_group_tag *postkit_js_group;
/// A global object with what belongs to it; also any place in its code that calls us.
typedef const struct postkit_js_context_tag *postkit_js_context;
/// A text of the engine's.
typedef struct postkit_js_string_tag *postkit_js_string;
/// A value; one that is an object may stand wherever an object is asked for.
typedef const struct postkit_js_value_tag *postkit_js_value;

/// The kinds of values (`JSType`).
enum {
  POSTKIT_JS_UNDEFINED,
  POSTKIT_JS_NULL,
  POSTKIT_JS_BOOLEAN,
  POSTKIT_JS_NUMBER,
  POSTKIT_JS_STRING,
  POSTKIT_JS_OBJECT,
  POSTKIT_JS_SYMBOL
};
/// The kinds of typed arrays (`JSTypedArrayType`) that are looked for.
enum { POSTKIT_JS_ARRAY_BUFFER = 9, POSTKIT_JS_NO_TYPED_ARRAY = 10 };

/// A function that JavaScript calls.
typedef postkit_js_value _Nullable (*postkit_js_function)(
    postkit_js_context _Nonnull context, postkit_js_value _Nonnull function,
    postkit_js_value _Nullable self, size_t count,
    const postkit_js_value _Nonnull *_Nullable arguments,
    postkit_js_value _Nullable *_Nonnull exception);
/// Frees the bytes of an array buffer.
typedef void (*postkit_js_deallocate)(void *_Nonnull bytes, void *_Nullable context);
/// Asked each time the time of a slice is over, whether what runs shall be terminated.
typedef bool (*postkit_js_should_terminate)(
    postkit_js_context _Nonnull context, void *_Nullable data);

// Each function that is called, once: its result, its name in the library, its parameters.
#define POSTKIT_JS_REQUIRED(FUNCTION)                                                              \
  FUNCTION(postkit_js_group _Nullable, JSContextGroupCreate, (void))                               \
  FUNCTION(                                                                                        \
      postkit_js_context _Nullable, JSGlobalContextCreateInGroup,                                  \
      (postkit_js_group _Nullable, void *_Nullable))                                               \
  FUNCTION(void, JSGlobalContextRelease, (postkit_js_context _Nonnull))                            \
  FUNCTION(                                                                                        \
      postkit_js_context _Nonnull, JSContextGetGlobalContext, (postkit_js_context _Nonnull))       \
  FUNCTION(                                                                                        \
      postkit_js_value _Nullable, JSEvaluateScript,                                                \
      (postkit_js_context _Nonnull, postkit_js_string _Nonnull, postkit_js_value _Nullable,        \
       postkit_js_string _Nullable, int, postkit_js_value _Nullable *_Nullable))                   \
  FUNCTION(                                                                                        \
      bool, JSCheckScriptSyntax,                                                                   \
      (postkit_js_context _Nonnull, postkit_js_string _Nonnull, postkit_js_string _Nullable, int,  \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(void, JSGarbageCollect, (postkit_js_context _Nonnull))                                  \
  FUNCTION(postkit_js_string _Nonnull, JSStringCreateWithUTF8CString, (const char *_Nonnull))      \
  FUNCTION(                                                                                        \
      postkit_js_string _Nonnull, JSStringCreateWithCharacters,                                    \
      (const uint16_t *_Nullable, size_t))                                                         \
  FUNCTION(void, JSStringRelease, (postkit_js_string _Nonnull))                                    \
  FUNCTION(size_t, JSStringGetLength, (postkit_js_string _Nonnull))                                \
  FUNCTION(                                                                                        \
      const uint16_t *_Nullable, JSStringGetCharactersPtr, (postkit_js_string _Nonnull))           \
  FUNCTION(size_t, JSStringGetMaximumUTF8CStringSize, (postkit_js_string _Nonnull))                \
  FUNCTION(                                                                                        \
      size_t, JSStringGetUTF8CString, (postkit_js_string _Nonnull, char *_Nonnull, size_t))        \
  FUNCTION(int, JSValueGetType, (postkit_js_context _Nonnull, postkit_js_value _Nonnull))          \
  FUNCTION(postkit_js_value _Nonnull, JSValueMakeUndefined, (postkit_js_context _Nonnull))         \
  FUNCTION(postkit_js_value _Nonnull, JSValueMakeNull, (postkit_js_context _Nonnull))              \
  FUNCTION(postkit_js_value _Nonnull, JSValueMakeBoolean, (postkit_js_context _Nonnull, bool))     \
  FUNCTION(postkit_js_value _Nonnull, JSValueMakeNumber, (postkit_js_context _Nonnull, double))    \
  FUNCTION(                                                                                        \
      postkit_js_value _Nonnull, JSValueMakeString,                                                \
      (postkit_js_context _Nonnull, postkit_js_string _Nonnull))                                   \
  FUNCTION(                                                                                        \
      double, JSValueToNumber,                                                                     \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      postkit_js_string _Nullable, JSValueToStringCopy,                                            \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(void, JSValueProtect, (postkit_js_context _Nonnull, postkit_js_value _Nonnull))         \
  FUNCTION(void, JSValueUnprotect, (postkit_js_context _Nonnull, postkit_js_value _Nonnull))       \
  FUNCTION(                                                                                        \
      postkit_js_value _Nonnull, JSObjectMake,                                                     \
      (postkit_js_context _Nonnull, void *_Nullable, void *_Nullable))                             \
  FUNCTION(                                                                                        \
      postkit_js_value _Nonnull, JSObjectMakeFunctionWithCallback,                                 \
      (postkit_js_context _Nonnull, postkit_js_string _Nullable, postkit_js_function _Nonnull))    \
  FUNCTION(                                                                                        \
      postkit_js_value _Nullable, JSObjectMakeArray,                                               \
      (postkit_js_context _Nonnull, size_t, const postkit_js_value _Nonnull *_Nullable,            \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      postkit_js_value _Nullable, JSObjectMakeError,                                               \
      (postkit_js_context _Nonnull, size_t, const postkit_js_value _Nonnull *_Nullable,            \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      postkit_js_value _Nullable, JSObjectMakeArrayBufferWithBytesNoCopy,                          \
      (postkit_js_context _Nonnull, void *_Nonnull, size_t, postkit_js_deallocate _Nonnull,        \
       void *_Nullable, postkit_js_value _Nullable *_Nullable))                                    \
  FUNCTION(                                                                                        \
      int, JSValueGetTypedArrayType,                                                               \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      void *_Nullable, JSObjectGetArrayBufferBytesPtr,                                             \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      size_t, JSObjectGetArrayBufferByteLength,                                                    \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      void *_Nullable, JSObjectGetTypedArrayBytesPtr,                                              \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      size_t, JSObjectGetTypedArrayByteLength,                                                     \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      size_t, JSObjectGetTypedArrayByteOffset,                                                     \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      postkit_js_value _Nullable, JSObjectGetProperty,                                             \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull, postkit_js_string _Nonnull,         \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      void, JSObjectSetProperty,                                                                   \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull, postkit_js_string _Nonnull,         \
       postkit_js_value _Nonnull, unsigned, postkit_js_value _Nullable *_Nullable))                \
  FUNCTION(                                                                                        \
      postkit_js_value _Nullable, JSObjectGetPropertyAtIndex,                                      \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull, unsigned,                           \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(                                                                                        \
      postkit_js_value _Nullable, JSObjectCallAsFunction,                                          \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull, postkit_js_value _Nullable, size_t, \
       const postkit_js_value _Nonnull *_Nullable, postkit_js_value _Nullable *_Nullable))

// Those that a library may lack.
#define POSTKIT_JS_OPTIONAL(FUNCTION)                                                              \
  FUNCTION(                                                                                        \
      void, JSContextGroupSetExecutionTimeLimit,                                                   \
      (postkit_js_group _Nonnull, double, postkit_js_should_terminate _Nullable,                   \
       void *_Nullable))                                                                           \
  FUNCTION(                                                                                        \
      void, JSGlobalContextSetUnhandledRejectionCallback,                                          \
      (postkit_js_context _Nonnull, postkit_js_value _Nonnull,                                     \
       postkit_js_value _Nullable *_Nullable))                                                     \
  FUNCTION(unsigned, jsc_get_major_version, (void))                                                \
  FUNCTION(unsigned, jsc_get_minor_version, (void))                                                \
  FUNCTION(unsigned, jsc_get_micro_version, (void))

#define POSTKIT_JS_REQUIRED_ENTRY(result, name, parameters) result(*_Nonnull name) parameters;
#define POSTKIT_JS_OPTIONAL_ENTRY(result, name, parameters) result(*_Nullable name) parameters;
/// The functions of the library that was opened.
typedef struct postkit_js_functions {
  POSTKIT_JS_REQUIRED(POSTKIT_JS_REQUIRED_ENTRY)
  POSTKIT_JS_OPTIONAL(POSTKIT_JS_OPTIONAL_ENTRY)
} postkit_js_functions;

/// Opens a library of that name and fills the table; null where it can't be opened or lacks a
/// function that is required, with the reason in `message`, which has room for `capacity` bytes.
/// The table lives as long as the program.
const postkit_js_functions *_Nullable postkit_js_open(
    const char *_Nonnull name, char *_Nonnull message, size_t capacity);

#endif
