// Measures JSONPath against the community's compliance suite where a machine has it.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct JSONPathSuiteTests {
  /// The variable that names the suite's file `cts.json`.
  static let variable = "POSTKIT_JSONPATH_SUITE"

  @Test func `the compliance suite passes whole`() throws {
    guard let path = ProcessEnvironment.value(Self.variable) else { return }
    let tree = try JSONTree(parsing: try FileSystem.read(path: path, limit: 1 << 24))
    let cases = tree.root["tests"]?.elements ?? []
    #expect(cases.count > 600)
    var failures: [String] = []
    for each in cases {
      if let failure = Self.failure(of: each) {
        failures.append("\(each["name"]?.string ?? ""): \(failure)")
      }
    }
    #expect(
      failures.isEmpty,
      "\(cases.count - failures.count) of \(cases.count)\n\(failures.joined(separator: "\n"))")
  }

  private static func failure(of test: JSONView) -> String? {
    let selector = test["selector"]?.string ?? ""
    let isInvalid = test["invalid_selector"]?.bool ?? false
    let path: JSONPath
    do {
      path = try JSONPath(selector, isStrict: true)
    } catch {
      return isInvalid ? nil : "\(selector) was refused at \(error.offset): \(error.explanation)"
    }
    if isInvalid { return "\(selector) was accepted" }
    guard let document = test["document"] else { return "there is no document" }
    let results = test["results"]?.elements ?? test["result"].map { [$0] } ?? []
    guard let actual = try? path.nodes(in: document).map(\.value) else {
      return "\(selector) takes too long"
    }
    if results.contains(where: { $0.elements.map(\.value) == actual }) { return nil }
    return "\(selector) gave \(JSONValue.array(actual).text)"
  }
}
