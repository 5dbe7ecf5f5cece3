// A set that is mostly small.

/// A set of which most have so few elements that these are found sooner one by one than by hashes.
struct SmallSet<Element: Hashable & Sendable>: Sendable {
  private static var fewest: Int { 12 }

  private var few: [Element] = []
  private var many: Set<Element> = []

  /// The number of elements.
  var count: Int { few.count + many.count }

  /// Whether an element is in it.
  func contains(_ element: Element) -> Bool {
    many.isEmpty ? few.contains(element) : many.contains(element)
  }

  /// Takes an element; answers whether it is new.
  mutating func insert(_ element: Element) -> Bool {
    guard many.isEmpty else { return many.insert(element).inserted }
    if few.contains(element) { return false }
    few.append(element)
    if few.count > Self.fewest {
      many = Set(few)
      few = []
    }
    return true
  }

  /// Lets go of an element, where it is in it.
  mutating func remove(_ element: Element) {
    if !many.isEmpty {
      many.remove(element)
    } else if let place = few.firstIndex(of: element) {
      few.remove(at: place)
    }
  }
}
