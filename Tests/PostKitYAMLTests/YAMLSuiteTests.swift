// Measures the events of libyaml against yaml-test-suite where a machine has it.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitYAML

@Suite struct YAMLSuiteTests {
  /// The variable that names the suite's folder `src`.
  static let variable = "POSTKIT_YAML_SUITE"

  @Test func `libyaml differs from the suite in the known cases alone`() throws {
    guard let folder = ProcessEnvironment.value(Self.variable) else { return }
    var count = 0
    var found: [String: YAMLSuiteDeviation.Kind] = [:]
    for name in try FileSystem.list(folder) where name.hasSuffix(".yaml") {
      let file = try YAMLText(
        parsing: try FileSystem.read(path: "\(folder)/\(name)", limit: 1 << 24))
      for each in YAMLSuiteCase.cases(String(name.dropLast(5)), file.tree.root) {
        count += 1
        found[each.name] = Self.deviation(each)
      }
    }
    #expect(count > 400)
    let known = YAMLSuiteDeviation.kinds
    for name in Set(known.keys).union(found.keys).sorted() where known[name] != found[name] {
      let before = known[name].map { "\($0)" } ?? "right"
      let now = found[name].map { "\($0)" } ?? "right"
      Issue.record("\(name) is known as \(before) and was \(now)")
    }
  }

  private static func deviation(_ test: YAMLSuiteCase) -> YAMLSuiteDeviation.Kind? {
    let events = YAMLSuiteCase.events(test.yaml)
    if events == test.events { return nil }
    guard events != nil else { return .refused }
    return test.events == nil ? .accepted : .otherEvents
  }
}
