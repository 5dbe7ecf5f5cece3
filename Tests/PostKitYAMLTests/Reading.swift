// How the tests of this folder read YAML.

import PostKitJSON

@testable import PostKitYAML

/// Reads a text as YAML even where it is JSON.
func read(_ text: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLSyntaxError) -> YAMLText {
  try YAMLText(parsing: Array(text.utf8), limits: limits, prefersJSON: false)
}

/// The JSON that a text becomes, or `line 1, column 2: …`.
func json(_ text: String) -> String {
  do throws(YAMLSyntaxError) {
    return String(decoding: try read(text).tree.bytes, as: UTF8.self)
  } catch {
    return error.description
  }
}

/// The notes of a text, each with its place.
func notes(_ text: String) -> [String] {
  ((try? read(text))?.notes ?? []).map { "\($0.place): \($0.message)" }
}

/// Why a text can't be read; `nil` where it can.
func problem(
  _ text: String, limits: YAMLLimits = YAMLLimits()
) -> YAMLSyntaxError.Problem? {
  do throws(YAMLSyntaxError) {
    _ = try read(text, limits: limits)
    return nil
  } catch {
    return error.problem
  }
}
