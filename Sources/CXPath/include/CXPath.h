// XPath 1.0 over libxml2, which is opened at run time. No header of libxml2 is included here: Swift
// would read it, and its declarations collide with those of other modules.

#ifndef POSTKIT_CXPATH_H
#define POSTKIT_CXPATH_H

#include <stdbool.h>
#include <stddef.h>

/// Opens libxml2 under a name and looks its functions up. `message` receives why it can't be.
bool postkit_xpath_open(const char *_Nonnull name, char *_Nonnull message, size_t capacity);

/// The version that was opened, such as 20914 for 2.9.14.
long postkit_xpath_version(void);

/// What came out of a query.
typedef enum postkit_xpath_kind {
  /// `text` is that of the first node, `count` the number of nodes.
  POSTKIT_XPATH_NODES,
  POSTKIT_XPATH_STRING,
  POSTKIT_XPATH_NUMBER,
  POSTKIT_XPATH_BOOLEAN,
  /// `code` is libxml2's, `place` the byte of the expression.
  POSTKIT_XPATH_BAD_EXPRESSION,
  /// `code` is libxml2's, `place` the line, `offset` the byte, `text` the message.
  POSTKIT_XPATH_BAD_DOCUMENT,
  POSTKIT_XPATH_NO_MEMORY,
} postkit_xpath_kind;

/// A result; `text` is freed with `postkit_xpath_free`.
typedef struct postkit_xpath_result {
  postkit_xpath_kind kind;
  int code;
  long place;
  size_t count;
  size_t offset;
  char *_Nullable text;
  size_t length;
} postkit_xpath_result;

/// A query and what it is applied to.
typedef struct postkit_xpath_query {
  const char *_Nonnull expression;
  /// Prefixes and URIs by turns.
  const char *_Nonnull const *_Nullable namespaces;
  size_t namespace_count;
  bool is_html;
  /// Whether `text` is that of all nodes, with their own tags, one on a line.
  bool whole_nodes;
  /// How many steps an evaluation may take.
  unsigned long step_limit;
} postkit_xpath_query;

/// Reads an expression and evaluates nothing: the kind is an error's, or `POSTKIT_XPATH_STRING`.
postkit_xpath_result postkit_xpath_check(const char *_Nonnull expression);

/// Parses a document and applies a query to it. Where no node is found, elements are looked for by
/// their local names.
postkit_xpath_result postkit_xpath_evaluate(
    const char *_Nonnull bytes, size_t length, const postkit_xpath_query *_Nonnull query);

/// Parses a document of UTF-8 and keeps nothing of it: the kind is `POSTKIT_XPATH_BAD_DOCUMENT`
/// where it is no XML, or `POSTKIT_XPATH_STRING`.
postkit_xpath_result postkit_xml_check(const char *_Nonnull bytes, size_t length);

/// Frees what a result holds.
void postkit_xpath_free(postkit_xpath_result *_Nonnull result);

#endif
