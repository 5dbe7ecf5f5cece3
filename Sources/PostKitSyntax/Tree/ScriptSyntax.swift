// Scripts of a block: their form, and when they run (PK-28, SC-25).

/// A script in a block, or a line that names the file of one.
package struct ScriptSyntax: Sendable, Hashable {
  /// How a script is written.
  package enum Kind: Sendable, Hashable {
    /// `< {% … %}` or `< file.js` before the request.
    case preRequest
    /// `> {% … %}` or `> file.js` after it.
    case responseHandler
    /// httpYac's `{{ … }}` block on lines of its own.
    case block
    /// `={% … %}`: what all scripts of the file see (SC-26).
    case imports
  }

  /// The word after `{{@` or `{{+`: when a script of httpYac runs.
  package enum Event: String, Sendable, Hashable, CaseIterable {
    case request, streaming, response, responseLogging, after

    /// The event of a word in whatever letters; `nil` for any other word.
    init?(folding word: String) {
      let folded = word.lowercased()
      guard let event = Event.allCases.first(where: { $0.rawValue.lowercased() == folded }) else {
        return nil
      }
      self = event
    }
  }

  /// When a script runs within the turn of its request.
  package enum Phase: String, Sendable, Hashable {
    /// Before anything else of the file.
    case imports
    /// Before the request is substituted.
    case pre
    /// Just before sending, the request being final.
    case request
    /// As soon as the head of the response is there.
    case streaming
    /// After the response.
    case response
    /// Before the response is displayed.
    case logging
    /// At the end of the turn, whatever became of it.
    case after
  }

  package var kind: Kind
  /// The word of the block's first line; `nil` where there is none.
  package var event: Event?
  /// Whether the block runs for each request of the file (`{{+`).
  package var isForAll = false
  /// Whether the script stands below a request line.
  package var isAfterRequest = false
  /// All its bytes, markers included.
  package var range: Range<Int>
  /// The script's text, or `nil` where a file is named.
  package var text: Range<Int>?
  /// The file's path, or `nil` where the text stands in-line.
  package var path: Range<Int>?
  /// The word of `{% lang=word`; `nil` where there is none.
  package var language: Range<Int>?
  /// The value of the latest tag above it that names the language; `nil` where there is none.
  package var tag: Range<Int>?

  /// When it runs; plain blocks by their place.
  package var phase: Phase {
    switch kind {
    case .imports: .imports
    case .preRequest: .pre
    case .responseHandler: .response
    case .block:
      switch event {
      case .request: .request
      case .streaming: .streaming
      case .response: .response
      case .responseLogging: .logging
      case .after: .after
      case nil: isAfterRequest ? .response : .pre
      }
    }
  }

  /// Whether it is a plain block below a request: it runs after the handlers (SC-25).
  package var isPlainBelow: Bool {
    kind == .block && event == nil && isAfterRequest && !isForAll
  }
}
