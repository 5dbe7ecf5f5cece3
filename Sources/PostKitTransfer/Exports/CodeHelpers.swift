// Functions that a written program needs, each only where something calls it.

/// The helpers of one program, from a table in which each comes after those that it calls.
struct CodeHelpers {
  /// A function of the program.
  struct Helper: Sendable {
    var name: String
    /// The helpers that it calls.
    var needs: [String] = []
    /// The modules that it takes, in the language's own words.
    var imports: [String] = []
    var text: String
  }

  private let table: [Helper]
  private var used: Set<String> = []
  private var modules: Set<String> = []

  /// Makes a choice from a table, of which nothing is used yet.
  init(_ table: [Helper]) { self.table = table }

  /// Says that the program calls a helper.
  mutating func use(_ names: String...) { names.forEach { use($0) } }

  private mutating func use(_ name: String) {
    guard used.insert(name).inserted, let helper = table.first(where: { $0.name == name }) else {
      return
    }
    helper.needs.forEach { use($0) }
    modules.formUnion(helper.imports)
  }

  /// Says that the program takes a module.
  mutating func take(_ module: String) { modules.insert(module) }

  /// The modules in order.
  var imports: [String] { modules.sorted() }

  /// The helpers that are used, in the order of the table.
  var texts: [String] { table.filter { used.contains($0.name) }.map(\.text) }
}
