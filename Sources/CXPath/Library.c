// Opens libxml2 at run time and fills the table of its functions.

#include "Parts.h"
#include "CSystem.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

postkit_xml_functions postkit_xml;

bool postkit_xpath_open(const char *name, char *message, size_t capacity) {
  void *library = postkit_library_open(name, message, capacity);
  if (library == NULL) return false;
  postkit_xml_functions filled;
#define POSTKIT_XML_FILL(name)                                                           \
  if (!postkit_library_find(library, #name, &filled.name, message, capacity)) return false;
  POSTKIT_XML_FUNCTIONS(POSTKIT_XML_FILL)
  filled.release = dlsym(library, "xmlFree");
  const char *const *version = dlsym(library, "xmlParserVersion");
  filled.version = version != NULL ? strtol(*version, NULL, 10) : 0;
  // The limit on steps came with 2.9.9; writing it into an older context would spoil memory.
  if (filled.release == NULL || filled.version < 20909) {
    snprintf(message, capacity, "it is older than 2.9.9");
    dlclose(library);
    return false;
  }
  postkit_xml = filled;
  postkit_xml.xmlInitParser();
  return true;
}

static void print_nothing(void *context, const char *format, ...) {
  (void)context, (void)format;
}

void postkit_xpath_silence(void) { postkit_xml.xmlSetGenericErrorFunc(NULL, print_nothing); }

long postkit_xpath_version(void) { return postkit_xml.version; }
