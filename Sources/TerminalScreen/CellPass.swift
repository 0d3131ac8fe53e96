import TerminalCanvas

/// Puts characters, colours and attributes in place of the stand-ins that ncurses writes: follows the cursor, looks up the cell of each place
/// that is written or erased, and sets what of its style does not stand yet.
///
/// ncurses finds the shortest way over the places that have changed. What it rewrites on that way although it has not changed is stepped over
/// where that is shorter.
struct CellPass {
    /// What is to be seen in a place, and what ncurses knows of it.
    struct Place: Equatable {
        var glyph = Glyph.space
        /// A number of the ``table``'s.
        var style: UInt16 = 0
        /// What ncurses takes for its colour pair: blanks that look unlike each other differ in it.
        var pair: UInt16 = 0
        /// The character that ncurses is told of: a blank where it may erase, else a letter. The next one of a place is another one.
        var standIn: UInt8 = 0x20
        /// As in ``Cell``.
        var width: UInt8 = 1
        /// In which picture it changed last.
        var picture: UInt16 = 0
    }

    var table: StyleTable
    let rules: Rules
    private let clearing: [UInt8]
    /// The columns that the C library, and with it most terminals, gives a character.
    private let libraryWidth: (UInt32) -> Int
    private var rendition: Rendition
    private(set) var size: Size
    var places: [Place]
    /// The number of the picture, anew from 1 where they are used up.
    private var picture: UInt16 = 1
    /// The style that the next character has as things stand.
    private var standing: UInt16?
    /// Where ncurses has the cursor.
    var cursor: Position?
    /// The terminal's cursor is one column further: a wide character takes both of its places at once.
    var isAhead = false
    /// Whether the next stand-in is for no place.
    var omitsNext = false
    /// Places before the cursor, in its row, that are stepped over when something follows.
    var steps = 0
    /// Whether the next bytes begin with the clearing of the screen.
    private var expectsClear = true
    /// Whether ncurses wrote where nobody knows: then the screen is to be painted anew.
    var isLost = false
    var output: [UInt8] = []

    /// - Parameter libraryWidth: the columns that the C library gives a character, −1 for one that it cannot write.
    init(table: StyleTable, dialect: TerminalDialect, isUTF8: Bool, size: Size, libraryWidth: @escaping (UInt32) -> Int) {
        self.table = table
        rules = Rules(dialect, isUTF8: isUTF8)
        clearing = dialect.clear
        self.libraryWidth = libraryWidth
        self.size = size
        rendition = Rendition(dialect: dialect, store: &self.table.store)
        places = Array(repeating: Place(), count: size.columns * size.rows)
    }

    /// The screen is painted anew, maybe in another size: nothing is known of the terminal.
    mutating func startOver(size: Size) {
        self.size = size
        places = Array(repeating: Place(), count: size.columns * size.rows)
        picture = 1
        rendition.forget()
        standing = nil
        cursor = nil
        expectsClear = true
        (isAhead, steps, omitsNext, isLost) = (false, 0, false, false)
    }

    // MARK: The picture

    /// What ncurses is told of one place of a row.
    struct Told {
        var standIn: UInt8
        var pair: UInt16

        fileprivate init(_ place: Place) { (standIn, pair) = (place.standIn, place.pair) }
    }

    /// Takes cells of a row into the picture, and tells what ncurses is told of them: from the first that has changed to the last. Those between
    /// that have not are another character too, so that it writes the row in one go, which costs it less than to find ways around them. Here
    /// they are stepped over.
    ///
    /// - Parameter tell: called for each place, from left to right.
    /// - Returns: how many cells come before the first that has changed.
    mutating func take(_ cells: UnsafeBufferPointer<Cell>, at first: Position, _ tell: (Told) -> Void) -> Int {
        let start = first.row * size.columns + first.column
        guard first.column >= 0, first.row >= 0, first.column + cells.count <= size.columns, start + cells.count <= places.count
        else { return 0 }
        var (pair, begin, end) = (first.column > 0 ? places[start - 1].pair : 0, 0, 0)
        // What is changed is handed on by itself: all of it would be copied for each cell.
        let (rules, size, picture, libraryWidth) = (rules, size, picture, libraryWidth)
        Self.withPlaces(&places, &table) { places, table in
            func standIn(_ offset: Int) -> UInt8 {
                places[start + offset].nextLetter(row: first.row, column: first.column + offset)
            }
            var left = Left()
            for (offset, cell) in cells.enumerated() {
                var (drawn, style, isRewritten) = (left.half, left.style, left.hasChanged)
                if cell.width > 0 {
                    drawn = rules.drawn(cell, at: Position(column: first.column + offset, row: first.row), in: size, libraryWidth)
                    style = UInt16(truncatingIfNeeded: table.number(of: cell.style, isBlank: drawn.glyph.isBlank))
                    isRewritten = false
                }
                isRewritten = isRewritten || !places[start + offset].shows(drawn, style: style)
                if cell.width > 0 { left = Left(of: drawn, width: cell.width, style: style, hasChanged: isRewritten) }
                guard isRewritten else { continue }
                if end == 0 { begin = offset }
                for between in (end == 0 ? offset : end)..<offset {
                    if rules.stepsRight { (places[start + between].standIn, places[start + between].pair) = (standIn(between), pair) }
                    tell(Told(places[start + between]))
                }
                let isErasable = drawn.width == 1 && drawn.glyph.isBlank && !table.looks[Int(style)].mustBeWritten
                if isErasable { pair = style }
                places[start + offset] = Place(
                    glyph: drawn.glyph, style: style, pair: pair, standIn: isErasable ? 0x20 : standIn(offset), width: drawn.width,
                    picture: picture)
                tell(Told(places[start + offset]))
                end = offset + 1
            }
        }
        return begin
    }

    private static func withPlaces(
        _ places: inout [Place], _ table: inout StyleTable, _ body: (UnsafeMutableBufferPointer<Place>, inout StyleTable) -> Void
    ) {
        places.withUnsafeMutableBufferPointer { body($0, &table) }
    }

    /// The wide character whose right half comes next. Both halves are written together.
    private struct Left {
        var half = Rules.Drawn()
        var style: UInt16 = 0
        var hasChanged = false

        init() {}

        /// Of a wide character that is replaced the right half is a blank.
        init(of drawn: Rules.Drawn, width: UInt8, style: UInt16, hasChanged: Bool) {
            half.width = width == 2 && drawn.width == 2 ? 0 : 1
            self.style = style
            self.hasChanged = width == 2 && hasChanged
        }
    }

    // MARK: The output

    /// All that brings the terminal to the picture, from what ncurses makes of it.
    mutating func drawn(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        output.removeAll(keepingCapacity: true)
        omitsNext = false
        var index = clear(bytes)
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x20, byte != 0x7f {
                index += 1
                writePlace(bytes, index)
            } else if byte == 0x1b {
                index += escape(UnsafeBufferPointer(rebasing: bytes[index...]))
            } else {
                control(byte)
                index += 1
            }
        }
        // Where nothing follows the cursor may stay where it is, which nobody sees; but ncurses reckons with it.
        catchUp()
        nextPicture()
        return output
    }

    private mutating func nextPicture() {
        guard picture == .max else { return picture += 1 }
        for index in places.indices { places[index].picture = 0 }
        picture = 1
    }

    private mutating func clear(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard expectsClear, bytes.starts(with: clearing) else { return 0 }
        expectsClear = false
        change(to: 0, isErasing: true)
        output += clearing
        cursor = Position(column: 0, row: 0)
        return clearing.count
    }

    mutating func change(to style: UInt16, isErasing: Bool = false) {
        go(rendition.way(to: table.looks[Int(style)], isErasing: isErasing, swatches: table.swatches))
        standing = isErasing ? nil : style
    }

    mutating func endStyle() {
        go(rendition.wayToPlain(swatches: table.swatches))
        standing = nil
    }

    private mutating func go(_ way: Rendition.Way) {
        if way.cost > 0 { rendition.go(way, swatches: table.swatches, store: table.store, output: &output) }
    }

    func index(of position: Position) -> Int? {
        guard position.column >= 0, position.column < size.columns, position.row >= 0, position.row < size.rows else { return nil }
        return position.row * size.columns + position.column
    }
}

extension CellPass.Place {
    fileprivate func shows(_ drawn: CellPass.Rules.Drawn, style: UInt16) -> Bool {
        glyph == drawn.glyph && self.style == style && width == drawn.width
    }

    /// Another character of ASCII than the one before, and than those of the neighbours: ncurses would have a shorter way for several alike. It
    /// has a digit of the row's number too, as otherwise rows would look like others, moved up or down.
    fileprivate func nextLetter(row: Int, column: Int) -> UInt8 {
        let digit = row >> (4 * (column % 3)) & 0xf
        let first = UInt8(truncatingIfNeeded: 0x3c + 4 * digit + 2 * (column & 1))
        return standIn == first ? first + 1 : first
    }
}

// MARK: - Places

extension CellPass {
    /// What is written where the cursor is, in place of one stand-in.
    ///
    /// - Parameter next: where ncurses' bytes go on after it.
    private mutating func writePlace(_ bytes: UnsafeBufferPointer<UInt8>, _ next: Int) {
        guard !omitsNext else { return omitsNext = false }
        guard let position = cursor, var index = index(of: position) else {
            isLost = true
            return
        }
        let isCorner = rules.insertsLastCell && isCorner(position)
        if isCorner, insertsCorner(bytes[next...]) { index += 1 }
        let place = places[index]
        if place.width == 0, isAhead || position.column == size.columns - 1 {
            isAhead = false
        } else if place.width == 0 || !isCorner && canStepOver(place, position) {
            if isAhead { catchUp() }
            steps += 1
        } else {
            catchUp()
            write(place)
            // At the end of the row it stays in the last column.
            isAhead = place.width == 2 && position.column + 2 < size.columns
        }
        moveRight(from: position)
    }

    /// Whether this place looks as it is to look, and the terminal's cursor can pass it. The last place of a row is always written: where the
    /// cursor is after it no other way leads.
    private func canStepOver(_ place: Place, _ position: Position) -> Bool {
        place.picture != picture && rules.stepsRight && position.column < size.columns - 1
    }

    private mutating func write(_ place: Place) {
        if place.style != standing { change(to: place.style) }
        add(place.glyph)
    }

    private mutating func add(_ glyph: Glyph) {
        let base = glyph.base.value
        if base < 0x80 {
            output.append(UInt8(truncatingIfNeeded: base))
        } else if base >= 0x2800, base < 0x2900 {
            // Braille, which is most of a map.
            output.append(0xe2)
            output.append(UInt8(truncatingIfNeeded: 0x80 | base >> 6 & 0x3f))
            output.append(UInt8(truncatingIfNeeded: 0x80 | base & 0x3f))
        } else {
            output += glyph.base.utf8
        }
        if !glyph.isSingleScalar { for mark in glyph.scalars.dropFirst() { output += mark.utf8 } }
    }

    /// Takes the terminal's cursor to where ncurses has it.
    mutating func catchUp() {
        if isAhead {
            output.append(0x08)
            isAhead = false
        }
        guard steps > 0 else { return }
        defer { steps = 0 }
        let length = steps == 1 ? 3 : steps < 10 ? 4 : 5
        if steps < 4, let position = cursor, rewrite(steps, before: position, within: length) { return }
        output += steps == 1 ? [0x1b, 0x5b, 0x43] : [0x1b, 0x5b] + Array(String(steps).utf8) + [0x43]
    }

    /// Writes what stands in the last places once more where that is shorter than to step over them.
    private mutating func rewrite(_ count: Int, before position: Position, within length: Int) -> Bool {
        guard let end = index(of: position), position.column >= count else { return false }
        let passed = (end - count)..<end
        let isShort = passed.allSatisfy { places[$0].width == 1 && places[$0].style == standing && places[$0].glyph.isSingleScalar }
        guard isShort, passed.reduce(0, { $0 + places[$1].glyph.base.utf8.count }) < length else { return false }
        for index in passed { add(places[index].glyph) }
        return true
    }

    /// Whether a place is the last column but one of the last row.
    private func isCorner(_ position: Position) -> Bool { position.row == size.rows - 1 && position.column == size.columns - 2 }

    /// Whether the stand-in there is the one for the last column, about to be moved to it by an insertion: then nothing but moves stands
    /// between.
    private func insertsCorner(_ after: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = after
        while let byte = rest.first {
            if byte == 0x1b, rest.dropFirst().first == 0x5b {
                guard let end = rest.dropFirst(2).firstIndex(where: { $0 >= 0x40 }) else { return false }
                if rest[end] == 0x40 || rest[end] == 0x68 { return true }
                rest = rest[(end + 1)...]
            } else if byte < 0x20 {
                rest = rest.dropFirst()
            } else {
                return false
            }
        }
        return false
    }

    private mutating func moveRight(from position: Position) {
        var next = position
        next.column += 1
        if next.column >= size.columns {
            // Wrapping is switched off for the last cell of all.
            if next.row == size.rows - 1 || rules.wrap == .none {
                next.column = size.columns - 1
            } else if rules.wrap == .next {
                next = Position(column: 0, row: next.row + 1)
            } else {
                return cursor = nil
            }
        }
        cursor = next
    }
}
