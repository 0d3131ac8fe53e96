import CTerminal

/// Memory that a start takes and running does not.
package enum StartMemory {
    /// So long after its start a screen is as it stays, seconds.
    static let seconds = 2.0

    /// Gives it back: two thirds of what was read of the program and its libraries is not read again, and the kernel would keep it mapped until
    /// memory is short. What is needed after all comes back from the file's cache.
    static func giveBack() {
        cterminal_give_back_memory()
    }

    /// Lets all threads that come share one heap: each further one begins anew and grows page by page. Where many threads are busy they wait for
    /// one another.
    package static func useOneHeap() { cterminal_use_one_heap() }
}
