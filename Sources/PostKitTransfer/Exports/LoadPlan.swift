// What a load test does with the requests of a collection (IO-30).

import PostKitHTTP

/// The requests of a load test: what each user does once, and what it does again and again.
struct LoadPlan {
  /// A request of the plan.
  struct Step {
    /// Its place among the requests of the collection.
    var index: Int
    var request: ExportedRequest
    /// The word for its function and for what is kept of its response.
    var word: String
    /// Whether later requests read a value in its body, the body itself, a header, or the status.
    var keeps = Kept()
  }

  /// What later requests read of a response.
  struct Kept: Hashable {
    var members = false
    var body = false
    var headers = false
    var status = false

    /// Whether they read nothing.
    var isNothing: Bool { self == Kept() }
  }

  /// A variable of the program.
  struct Setting {
    var variable: ExportedVariable
    /// The name of the constant, in capitals.
    var constant: String
    /// Whether it is a variable of the process, which requests name themselves.
    var isOfProcess = false
  }

  var settings: [Setting] = []
  /// The files that requests send, each with the name of its constant, in capitals.
  private(set) var files: [(path: String, constant: String)] = []
  /// What others read and has no loop, in an order in which each comes after those that it needs.
  var once: [Step] = []
  /// The others, in the order of the source.
  var rounds: [Step] = []
  /// Whether the requests of a round are picked by their weights, one at a time.
  var isWeighted: Bool { rounds.contains { $0.request.weight != nil } }
  /// All of them, in the order in which they run first.
  var steps: [Step] { once + rounds }

  /// Plans a collection. `taken` are words that the language or its library has for itself.
  init(_ collection: ExportedCollection, taken: Set<String>) {
    var constants = CodeWords(taken: taken)
    settings = collection.settings.map { variable in
      Setting(
        variable: variable,
        constant: constants.word(for: variable.name, fallback: "VALUE", isCapital: true))
    }
    for name in LoadPlan.processNames(collection) {
      // Before the others: their values may be made of it.
      let constant = constants.word(for: name, fallback: "VALUE", isCapital: true)
      settings.insert(
        Setting(
          variable: ExportedVariable(name: name, value: nil), constant: constant,
          isOfProcess: true),
        at: 0)
    }
    let kept = LoadPlan.kept(collection)
    var words = CodeWords(taken: taken)
    let sent = collection.order.filter { !collection.requests[$0].isDisabled }
    let steps = sent.sorted().map { index in
      Step(
        index: index, request: collection.requests[index],
        word: words.word(for: collection.requests[index].title, fallback: "request"),
        keeps: kept[index] ?? Kept())
    }
    let needed = Set(collection.requests.flatMap(\.needs))
    let isOnce: (Step) -> Bool = { step in
      step.request.loopCount == 1 && step.request.weight == nil
        && (!step.keeps.isNothing || needed.contains(step.index))
    }
    let byPlace = Dictionary(uniqueKeysWithValues: steps.map { ($0.index, $0) })
    once = sent.compactMap { byPlace[$0] }.filter(isOnce)
    rounds = steps.filter { !isOnce($0) }
    // Something has to be done again and again.
    if rounds.isEmpty { (once, rounds) = ([], once) }
    for case .file(let path) in self.steps.flatMap(\.request.body)
    where constant(ofFile: path) == nil {
      files.append(
        (path, constants.word(for: "file \(files.count + 1)", fallback: "FILE", isCapital: true)))
    }
  }

  /// The constant of a variable.
  func constant(of name: String) -> String? {
    settings.first { $0.variable.name == name && !$0.isOfProcess }?.constant
  }

  /// The constant of a variable of the process.
  func constant(ofProcess name: String) -> String? {
    settings.first { $0.variable.name == name && $0.isOfProcess }?.constant
  }

  /// The constant of a file.
  func constant(ofFile path: String) -> String? { files.first { $0.path == path }?.constant }

  /// The value of a variable.
  func value(of name: String) -> ExportedText? {
    settings.first { $0.variable.name == name && !$0.isOfProcess }?.variable.value
  }

  /// The variables of the process that are read, sorted.
  private static func processNames(_ collection: ExportedCollection) -> [String] {
    let texts =
      collection.order.flatMap { collection.requests[$0].texts }
      + collection.settings.compactMap(\.value)
    var names: Set<String> = []
    for case .process(let name) in texts.flatMap(\.references) { names.insert(name) }
    return names.sorted()
  }

  /// The step of a request; `nil` for one that is not sent.
  func step(_ index: Int) -> Step? {
    once.first { $0.index == index } ?? rounds.first { $0.index == index }
  }

  private static func kept(_ collection: ExportedCollection) -> [Int: Kept] {
    var result: [Int: Kept] = [:]
    for request in collection.requests {
      for case .response(let index, let part) in request.texts.flatMap(\.references) {
        switch part {
        case .member: result[index, default: Kept()].members = true
        case .body: result[index, default: Kept()].body = true
        case .header: result[index, default: Kept()].headers = true
        case .status: result[index, default: Kept()].status = true
        case .other: break
        }
      }
    }
    return result
  }
}

extension ExportedRequest {
  /// The headers as they are sent, `Authorization` among them where it is a plain one, those of one
  /// name joined.
  func sentHeaders(
    basic: (_ user: ExportedText, _ password: ExportedText) -> ExportedText?
  ) -> [ExportedHeader] {
    var result: [ExportedHeader] = []
    func add(_ header: ExportedHeader) {
      guard let name = header.name.literal,
        let place = result.firstIndex(where: {
          $0.name.literal?.equalsIgnoringASCIICase(name) == true
        })
      else { return result.append(header) }
      result[place].value.append(name.equalsIgnoringASCIICase("Cookie") ? "; " : ", ")
      result[place].value.append(header.value)
    }
    headers.forEach(add)
    switch auth {
    case .bearer(let token):
      var value = ExportedText("Bearer ")
      value.append(token)
      add(ExportedHeader(name: ExportedText("Authorization"), value: value))
    case .basic(let user, let password):
      if let value = basic(user, password) {
        add(ExportedHeader(name: ExportedText("Authorization"), value: value))
      }
    case .none, .digest, .ntlm, .negotiate, .aws, .client, .apiKey, .other: break
    }
    return result
  }
}
