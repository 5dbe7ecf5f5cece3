// The exchanges of a run that something may still read.

import PostKitEvaluate
import PostKitHTTP
import PostKitScripting
import PostKitSyntax

/// The exchanges that references and scripts may read by the names of their requests. What the
/// files name stays as long as the run; what no file names is kept for scripts that make up names
/// as they run, but no more of it than there is room for, and the latest of it.
struct KeptExchanges: Sendable {
  /// Bytes of bodies that are kept though no file names their requests.
  static let spareByteLimit = 16 << 20

  /// What an exchange is kept under.
  struct Key: Hashable, Sendable {
    var place: RequestPlace
    /// The name of the turn of a loop.
    var turn: String?
  }

  /// The latest exchange of each request; of a loop, that of its first turn.
  private(set) var ofRequests: [RequestPlace: ReferencedExchange] = [:]
  /// The exchanges of the turns of loops, by the turn's name.
  private(set) var ofTurns: [String: ReferencedExchange] = [:]
  /// What no file names, and the bytes of each.
  private var spare: [Key: Int] = [:]
  /// The order in which that came; some of it may be gone.
  private var order: [Key] = []
  private var oldest = 0
  /// Bytes of bodies of what no file names.
  private(set) var spareBytes = 0

  /// Whether more is kept than there is room for.
  var isOverfull: Bool { spareBytes > KeptExchanges.spareByteLimit }

  /// Keeps the exchange of a request, or of the turn of a loop.
  mutating func keep(
    _ exchange: ReferencedExchange, of place: RequestPlace, turn: Int? = nil, named name: String?,
    isSpare: Bool = false
  ) {
    if turn ?? 0 == 0 { ofRequests[place] = exchange }
    if turn != nil, let name { ofTurns[name] = exchange }
    guard isSpare else { return }
    let key = Key(place: place, turn: turn == nil ? nil : name)
    let bytes = exchange.requestBody.count + exchange.responseBody.count
    spareBytes += bytes - (spare[key] ?? 0)
    if spare.updateValue(bytes, forKey: key) == nil { order.append(key) }
  }

  /// Lets go of the oldest of what no file names until there is room; what scripts name after all
  /// stays for good.
  mutating func makeRoom(isNamed: (Key) -> Bool) {
    while isOverfull, oldest < order.count {
      let key = order[oldest]
      oldest += 1
      guard let bytes = spare.removeValue(forKey: key) else { continue }
      spareBytes -= bytes
      if isNamed(key) { continue }
      guard let turn = key.turn else {
        ofRequests[key.place] = nil
        continue
      }
      // The exchange of the request is that of its first turn.
      if turn.hasSuffix("0") { ofRequests[key.place] = nil }
      ofTurns[turn] = nil
    }
    if oldest > 1_000 {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}

extension RunState {
  /// Keeps an exchange for those that may read it by its name.
  mutating func keep(
    _ exchange: ReferencedExchange, of request: PreparedRequest, named name: String?,
    _ services: RunServices
  ) {
    let place = request.place
    let isRead = readPlaces.contains(place)
    guard isRead || mayNeedEngine else { return }
    kept.keep(exchange, of: place, turn: request.turn, named: name, isSpare: !isRead)
    guard kept.isOverfull else { return }
    let words = namedInScripts(services)
    let files = scope.files
    kept.makeRoom { key in
      let block = files.block(key.place)
      return [block.name, block.title, key.turn].contains { name in
        guard let name else { return false }
        return ["", "Response", "List"].contains { words.contains(name + $0) }
      }
    }
  }

  /// The words of all scripts and expressions of the files.
  private mutating func namedInScripts(_ services: RunServices) -> Set<String> {
    let count = scope.files.files.count
    if let (known, words) = scripts.words, known == count { return words }
    var texts = included.values.flatMap(\.references).compactMap(\.expression.scriptText)
    for file in scope.files.files.indices {
      for block in scope.files.files[file].document.blocks {
        texts += block.references.compactMap(\.expression.scriptText)
        texts += block.assertions.map { block.text($0.text) }
        texts += block.metadata.filter { $0.kind != .name }.map { block.text($0.value) }
        for syntax in block.scripts {
          let script = PlannedScript(file: file, block: block, syntax: syntax)
          let caller = ScriptCaller(
            place: RequestPlace(file: file, block: block.index), phase: .response, script: script,
            exchange: nil)
          // What can't be read names nothing.
          if case .success(let text) = scriptText(script, caller, services) {
            texts.append(text.text)
          }
        }
      }
    }
    let words = ScriptWords(texts).names
    scripts.words = (count, words)
    return words
  }
}

extension ReferenceExpression {
  /// The JavaScript that it is.
  fileprivate var scriptText: String? {
    if case .script(let text) = self { text } else { nil }
  }
}
