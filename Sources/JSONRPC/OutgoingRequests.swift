// Requests that we sent and whose answers are awaited.

package import PostKitJSON

/// The requests to the client that have no answer yet; owned by the server's loop.
package struct OutgoingRequests: Sendable {
  /// What is done with the answer; called exactly once.
  package typealias Completion = @Sendable (Result<JSONView?, RPCError>) -> Void

  /// The first id. Clients count their own requests up from 0 or 1, and Vim 9 takes the answer to
  /// one of its requests and a request of ours for the same thing where their ids are equal. Ours
  /// are integers, because Vim can answer no others, and begin where no client comes to count; a
  /// thousand million fit between there and the largest integer of the protocol, 2^31 - 1.
  private static let firstID = 1_000_000_000

  private var nextID = firstID
  private var waiting: [Int: Completion] = [:]

  /// Makes an empty table.
  package init() {}

  /// How many answers are awaited.
  package var count: Int { waiting.count }

  /// Keeps a completion and returns the integer id to send (PROMISES.md F14).
  package mutating func register(_ completion: @escaping Completion) -> Int {
    defer { nextID += 1 }
    waiting[nextID] = completion
    return nextID
  }

  /// Hands an answer over; `false` for an id that nobody waits for, such as a late one (Q12).
  @discardableResult
  package mutating func finish(_ id: RequestID, _ result: Result<JSONView?, RPCError>) -> Bool {
    guard case .int(let number) = id, let completion = waiting.removeValue(forKey: number) else {
      return false
    }
    completion(result)
    return true
  }

  /// Gives every wait up, as nobody will answer any more.
  package mutating func failAll(_ error: RPCError) {
    let completions = waiting.sorted { $0.key < $1.key }.map(\.value)
    waiting.removeAll()
    for completion in completions { completion(.failure(error)) }
  }
}
