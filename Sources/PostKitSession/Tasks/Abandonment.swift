// Work that nobody waits for any more (R5): who cancels a request, or asks the same anew
// with each key, is not to wait for what was asked before.

package import JSONRPC

/// Ends such work. What a part of a document was looked at for must not be kept as if it were all.
package enum Abandonment {
  /// Throws `cancelled` where the request of this task was given up.
  package static func check() throws(RPCError) {
    if Task.isCancelled { throw .cancelled }
  }
}
