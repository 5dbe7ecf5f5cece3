// No problem carries a secret past the mask, whatever its kind.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitEvaluate

struct ProblemMaskTests {
  private static let secret = "s3cr3t-v4lue"
  private static let text = "a \(secret) b"
  private static let list = [text, "\(secret)"]

  /// One of each kind, with a secret in each text.
  private static let all: [EvaluationProblem.Kind] = [
    .unresolvedVariable(name: text, suggestion: text, environments: list, selected: text),
    .setByScript(name: text, script: text), .variableCycle(list), .requestNotRun(name: text),
    .noMatch(reference: text, explanation: text), .redactedResponse(reference: text),
    .selectorSyntax(
      reference: text,
      SelectorMistake(language: .jsonPath, selector: text, offset: 1, explanation: text)),
    .selectorUnavailable(reference: text, explanation: text),
    .dynamicArguments(name: text, expected: text), .placeholder,
    .nothingReceived(variable: text, tag: text, explanation: text), .fileNotFound(path: text),
    .fileUnreadable(path: text, explanation: text), .fileOutside(path: text, explanation: text),
    .certificateNotFound(path: text, place: text),
    .importUnresolved(path: text, explanation: text),
    .runFileUnresolved(path: text, explanation: text), .importCycle(list),
    .runUnresolved(name: text), .runNotInFile(name: text, path: text), .requestCycle(list),
    .environmentFileBroken(path: text, line: 1, explanation: text),
    .environmentNotFound(name: text, known: list),
    .environmentRemark(path: text, line: 1, sentence: text),
    .providerValue(name: text, provider: text), .missingHost,
    .badURL("https://a.test/\(secret)", explanation: text), .headerInjection(name: text),
    .malformedHeader, .textAfterHandler, .assertionSyntax,
    .assertionSubject(written: text, suggestion: text), .requestNotFound(tag: text, name: text),
    .credentialShape(scheme: text), .signatureService, .badDuration(text),
    .unknownSignIn(
      id: text, suggestion: text, known: list, environments: list, selected: text),
    .signIn(.incomplete, text),
    .inputMissing(list, wasDeclined: true), .notAChoice(name: text, answer: text, options: list),
    .processVariableMissing(text),
    .processVariableWithheld(name: text, path: text, explanation: text),
    .assertionSpelling(written: text, read: text), .unsupported(text), .syntax(text),
    .graphQLVariables(text), .multipartBoundary(text), .unknownEncoding(text),
    .curlOption(text, .unknown), .scriptFailed(text), .luaScript, .expressionPending(text),
  ]

  /// All texts in a value, whatever holds them.
  private static func texts(in value: Any) -> [String] {
    if let text = value as? String { return [text] }
    return Mirror(reflecting: value).children.flatMap { texts(in: $0.value) }
  }

  private static func name(_ kind: EvaluationProblem.Kind) -> String {
    Mirror(reflecting: kind).children.first?.label ?? "\(kind)"
  }

  @Test func `Every kind is tried`() throws {
    let path = FilePath.normalise(
      FilePath.join(#filePath, "../../../Sources/PostKitEvaluate/EvaluationProblem.swift"))
    let source = String(decoding: try FileSystem.read(path: path, limit: 1 << 20), as: UTF8.self)
    let start = try #require(source.firstRange(of: "enum Kind: Sendable, Hashable {"))
    let lines = source[start.upperBound...].split(separator: "\n").prefix { $0 != "  }" }
    let cases = lines.compactMap { line -> String? in
      guard line.hasPrefix("    case ") else { return nil }
      return String(line.dropFirst(9).prefix { $0.isLetter })
    }
    #expect(cases.count > 40)
    #expect(Set(Self.all.map(Self.name)) == Set(cases))
  }

  @Test(arguments: all)
  func `Every text of a problem is masked`(kind: EvaluationProblem.Kind) {
    let texts = Self.texts(in: kind)
    #expect(texts.allSatisfy { $0.contains(Self.secret) }, "a text is not tried")
    let mask = SecretMask(secrets: [Self.secret])
    let masked = EvaluationProblem(kind, range: 0..<0).masked(by: mask)
    #expect(Self.name(masked.kind) == Self.name(kind))
    let after = Self.texts(in: masked.kind)
    #expect(after.count == texts.count)
    #expect(!after.contains { $0.contains(Self.secret) }, "\(after)")
    for surface in [Surface.editor, .commandLine] {
      #expect(!masked.message(on: surface).contains(Self.secret))
      #expect(!masked.message(on: surface).isEmpty)
    }
  }
}
