// Scripts that failed at the last run, at the places where they threw (SC-81).

package import PostKitEvaluate
package import PostKitSyntax

/// A script that failed when its request was sent last, and what it is found again by.
package struct FailedScript: Sendable, Hashable {
  /// What failed, in the text that was sent.
  package enum Anchor: Sendable, Hashable {
    /// A script with its text, and the byte of it that is concerned.
    case script(text: String, offset: Int)
    /// An expression between braces, with its text.
    case expression(text: String)
    /// A script in a file of its own, with its path as it is written.
    case file(path: String)
  }

  /// The name of its request; `nil` where it has none.
  package let requestName: String?
  package let anchor: Anchor
  /// Why it failed, secrets masked.
  package let message: String
  /// The places in files of the user that led there, the innermost first.
  package let frames: [EvaluationProblem.Frame]

  /// Makes one.
  package init(
    requestName: String?, anchor: Anchor, message: String, frames: [EvaluationProblem.Frame]
  ) {
    (self.requestName, self.anchor) = (requestName, anchor)
    (self.message, self.frames) = (message, frames)
  }
}

extension FailedScript.Anchor {
  /// What stands at a byte of a block: the script or the expression around it; `nil` where there is
  /// none.
  package init?(at offset: Int, in block: ParsedBlock) {
    for script in block.scripts {
      let range = block.absolute(script.range)
      guard range.lowerBound <= offset, offset <= range.upperBound else { continue }
      if let path = script.path {
        self = .file(path: block.text(path))
        return
      }
      guard let text = script.text.map(block.absolute) else { continue }
      let place = min(max(0, offset - text.lowerBound), text.count)
      self = .script(text: String(decoding: block.bytes[text], as: UTF8.self), offset: place)
      return
    }
    for reference in block.references {
      let range = block.absolute(reference.range)
      guard range.lowerBound <= offset, offset < range.upperBound else { continue }
      self = .expression(text: block.text(reference.inner))
      return
    }
    for range in block.lineExpressions where range.contains(offset) {
      self = .expression(text: block.written(range))
      return
    }
    return nil
  }

  /// The script of a block that is a file with that path; `nil` where none is.
  package init?(file path: String, in block: ParsedBlock) {
    for script in block.scripts {
      guard let written = script.path.map(block.text) else { continue }
      let name = written.split(separator: "/").filter { $0 != "." && $0 != ".." }
      guard path.hasSuffix("/" + name.joined(separator: "/")) else { continue }
      self = .file(path: written)
      return
    }
    return nil
  }
}

extension Analysis {
  /// A diagnostic for each script that failed at the last run, as far as it still says the same.
  package func failedScripts(_ failed: [FailedScript]) -> [Diagnostic] {
    failed.compactMap { failed in
      guard let range = range(of: failed) else { return nil }
      var diagnostic = failed.diagnostic(at: range)
      diagnostic.message = SecretText.masking(diagnostic.message, Set(knownSecrets))
      return diagnostic
    }
  }

  /// Where what failed stands now; of several that say the same that of the request of its name.
  private func range(of failed: FailedScript) -> Range<Int>? {
    let blocks = document.blocks.having([.scripts, .expressions])
    let own = blocks.filter { $0.name == failed.requestName }
    for block in own + blocks {
      switch failed.anchor {
      case .script(let text, let offset):
        for script in block.scripts {
          guard let range = script.text.map(block.absolute),
            block.bytes[range].elementsEqual(text.utf8)
          else { continue }
          let token = FailedScript.token(at: offset, in: block.bytes[range])
          return range.lowerBound + token.lowerBound..<range.lowerBound + token.upperBound
        }
      case .expression(let text):
        for reference in block.references where block.text(reference.inner) == text {
          return block.absolute(reference.inner)
        }
        for range in block.lineExpressions where block.written(range) == text { return range }
      case .file(let path):
        for script in block.scripts {
          if let written = script.path, block.text(written) == path {
            return block.absolute(written)
          }
        }
      }
    }
    return nil
  }
}

extension FailedScript {
  /// The diagnostic in the file of its own in which it stands, at a byte of its text.
  package func diagnostic(at offset: Int, in bytes: [UInt8]) -> Diagnostic {
    var result = diagnostic(at: FailedScript.token(at: offset, in: bytes[...]))
    // The first of them is where the diagnostic stands.
    result.frames = Array(frames.dropFirst())
    return result
  }

  fileprivate func diagnostic(at range: Range<Int>) -> Diagnostic {
    let end = message.last.map { ".!?…".contains($0) } == true ? "" : "."
    var result = Diagnostic(
      .scriptFailed, range, "The script failed at the last run. \(message)\(end)")
    result.frames = frames
    return result
  }

  /// The token at a byte of a script, else the first one behind it.
  fileprivate static func token(at offset: Int, in bytes: ArraySlice<UInt8>) -> Range<Int> {
    let tokens = ScriptTokens(bytes).tokens
    let found = tokens.first { $0.range.upperBound > offset } ?? tokens.last
    return found?.range ?? 0..<bytes.count
  }
}
