// The rows of the store's tables, one type a file.

/// The namespace of row types: some have names that mean something else elsewhere.
package enum Model {}
