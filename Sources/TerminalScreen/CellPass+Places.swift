import TerminalCanvas

/// What ncurses writes as characters.
extension CellPass {
    static func isStandIn(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f }

    /// What is written from the cursor on, in place of as many stand-ins as come one after the other. Not those whose place has something
    /// special to it: right halves, and the last column.
    ///
    /// - Returns: how many.
    mutating func writePlaces(_ bytes: UnsafeBufferPointer<UInt8>, _ first: Int) -> Int {
        guard !omitsNext, let start = cursor, let begin = index(of: start) else { return 0 }
        let room = size.columns - start.column - (rules.insertsLastCell && start.row == size.rows - 1 ? 2 : 1)
        let end = min(bytes.count, first + max(0, room))
        var next = first
        while next < end, Self.isStandIn(bytes[next]) {
            let place = places[begin + next - first]
            guard place.width > 0 else { break }
            if place.picture != picture, rules.stepsRight {
                if isAhead { catchUp(to: start, plus: next - first) }
                steps += 1
            } else {
                if isAhead || steps > 0 { catchUp(to: start, plus: next - first) }
                write(place)
                isAhead = place.width == 2 && start.column + next - first + 2 < size.columns
            }
            next += 1
        }
        cursor = Position(column: start.column + next - first, row: start.row)
        return next - first
    }

    private mutating func catchUp(to start: Position, plus columns: Int) {
        cursor = Position(column: start.column + columns, row: start.row)
        catchUp()
    }

    /// What is written where the cursor is, in place of one stand-in.
    ///
    /// - Parameter next: where ncurses' bytes go on after it.
    mutating func writePlace(_ bytes: UnsafeBufferPointer<UInt8>, _ next: Int) {
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
            output.append(glyph.base.utf8)
        }
        if !glyph.isSingleScalar { for mark in glyph.scalars.dropFirst() { output.append(mark.utf8) } }
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
        output.append(0x1b)
        output.append(0x5b)
        if steps > 1 { output.append(String(steps).utf8) }
        output.append(0x43)
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
