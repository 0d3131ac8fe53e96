/// A list of elements in the order of their serials. Most elements are added at the end, and any element can be removed.
///
/// A removed element leaves a gap. The gaps are closed only when their number exceeds the number of elements by more than 16, so most
/// changes move no other element.
package struct SerialList<Element: Equatable & Sendable>: Sendable {
    private(set) var count = 0
    private var serials: [UInt64] = []
    private var isGone: [Bool] = []
    private var elements: [Element] = []

    /// Returns the indexes, in order, of the elements whose serials are greater than `serial`. Nil selects all elements.
    func places(after serial: UInt64? = nil) -> some Sequence<Int> {
        let start = serial.map { $0 < .max ? place(of: $0 + 1) : serials.count } ?? 0
        return (start..<serials.count).lazy.filter { !isGone[$0] }
    }

    /// Reads an element in place, without a copy.
    subscript(place: Int) -> Element { _read { yield elements[place] } }

    func serial(at place: Int) -> UInt64 { serials[place] }

    /// Adds an element, or replaces the element with the same serial.
    mutating func put(_ element: Element, _ serial: UInt64) {
        let place = place(of: serial)
        if place < serials.count, serials[place] == serial {
            if isGone[place] { count += 1 }
            isGone[place] = false
            elements[place] = element
        } else {
            serials.insert(serial, at: place)
            isGone.insert(false, at: place)
            elements.insert(element, at: place)
            count += 1
        }
    }

    mutating func remove(_ serial: UInt64) {
        let place = place(of: serial)
        guard place < serials.count, serials[place] == serial, !isGone[place] else { return }
        isGone[place] = true
        count -= 1
        if serials.count > 2 * count + 16 { tidy() }
    }

    private mutating func tidy() {
        let places = Array(places())
        serials = places.map { serials[$0] }
        elements = places.map { elements[$0] }
        isGone = Array(repeating: false, count: places.count)
    }

    /// Returns the index of the element with a serial, or the index at which such an element would be inserted.
    private func place(of serial: UInt64) -> Int {
        guard let last = serials.last, last >= serial else { return serials.count }
        var (low, high) = (0, serials.count)
        while low < high {
            let middle = (low + high) / 2
            if serials[middle] < serial { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SerialList: Equatable {
    /// Returns whether both lists have the same elements with the same serials.
    package static func == (one: Self, other: Self) -> Bool {
        one.count == other.count
            && zip(one.places(), other.places()).allSatisfy { one.serials[$0] == other.serials[$1] && one[$0] == other[$1] }
    }
}
