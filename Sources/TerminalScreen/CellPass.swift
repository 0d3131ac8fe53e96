import TerminalCanvas

/// Puts characters, colours and attributes in place of the stand-ins that ncurses writes: follows the cursor, looks up the cell of each place
/// that is written or erased, and sets what of its style does not stand yet.
///
/// ncurses finds the shortest way over the places that have changed. What it rewrites on that way although it has not changed is stepped over
/// where that is shorter.
struct CellPass: ~Copyable {
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
    private(set) var picture: UInt16 = 1
    /// The style that the next character has as things stand.
    private(set) var standing: UInt16?
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
    var output = ByteSink()

    /// - Parameter libraryWidth: the columns that the C library gives a character, −1 for one that it cannot write.
    init(table: StyleTable, dialect: TerminalDialect, isUTF8: Bool, size: Size, libraryWidth: @escaping (UInt32) -> Int) {
        self.table = table
        rules = Rules(dialect, isUTF8: isUTF8, libraryWidth)
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
                if isErasable { pair = table.pairs[Int(style)] }
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
        output.removeAll()
        omitsNext = false
        var index = clear(bytes)
        while index < bytes.count {
            let byte = bytes[index]
            if Self.isStandIn(byte) {
                index += writePlaces(bytes, index)
                guard index < bytes.count, Self.isStandIn(bytes[index]) else { continue }
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
        return Array(output.bytes)
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
        output.append(clearing)
        cursor = Position(column: 0, row: 0)
        return clearing.count
    }

    mutating func change(to style: UInt16, isErasing: Bool = false) {
        rendition.go(to: style, isErasing: isErasing, table, &output)
        standing = isErasing ? nil : style
    }

    mutating func endStyle() {
        rendition.goToPlain(table, &output)
        standing = nil
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
