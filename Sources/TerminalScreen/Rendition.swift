/// The colours and attributes that the terminal has on, and the shortest way from them to others.
struct Rendition {
    /// What stands now, or is to stand. Colours are numbers of swatches.
    struct Setting: Equatable {
        var foreground: Int32
        var background: Int32
        var attributes: UInt8
    }

    /// A way from what stands to what is wanted.
    struct Way {
        var setting: Setting
        var isReset: Bool
        /// Bytes, about.
        var cost: Int
    }

    private static let bold: UInt8 = 1
    private static let dim: UInt8 = 2
    private static let underline: UInt8 = 4
    private static let reverse: UInt8 = 8

    private var now = Setting(foreground: 0, background: 0, attributes: 0)
    /// Whether the terminal may have anything on.
    private var isUnknown = true
    private let reset: [PieceStore.Span]
    private let begins: [PieceStore.Span]
    private let ends: [PieceStore.Span]
    /// The attributes that can be ended alone.
    private let endable: UInt8
    private let mayReverse: Bool
    private var memory = RenditionMemory()

    init(dialect: TerminalDialect, store: inout PieceStore) {
        reset = dialect.reset.map { store.span($0) }
        begins = dialect.begins.map { store.span($0) }
        let ends = dialect.ends.map { store.span($0) }
        self.ends = ends
        endable = ends.indices.reduce(0) { ends[$1].exists ? $0 | 1 << UInt8($1) : $0 }
        mayReverse = dialect.mayReverse
    }

    /// Somebody else may have written to the terminal.
    mutating func forget() {
        isUnknown = true
    }

    /// The way to where the next characters look so, which is of no length where they do already.
    ///
    /// - Parameter isErasing: what follows erases: then nothing but the background may be on.
    private func way(to look: StyleTable.Look, isErasing: Bool = false, swatches: [StyleTable.Swatch]) -> Way {
        let best = way(to: wanted(look, isErasing: isErasing), swatches)
        guard best.cost > 0, !isErasing, let exchanged = exchanged(look) else { return best }
        let other = way(to: exchanged, swatches)
        return other.cost < best.cost ? other : best
    }

    /// The way to where nothing is on but the terminal's own colours.
    private func wayToPlain(swatches: [StyleTable.Swatch]) -> Way {
        way(to: Setting(foreground: 0, background: 0, attributes: 0), swatches)
    }

    /// Adds the way to a look to the output and takes it.
    ///
    /// - Parameters:
    ///   - look: the one of the style in the table.
    ///   - isErasing: what follows erases: then nothing but the background may be on.
    mutating func go(to style: UInt16, isErasing: Bool, _ table: borrowing StyleTable, _ output: inout ByteSink) {
        let (from, start, isKnown) = (now, output.count, !isUnknown && !isErasing)
        if isKnown, let to = memory.go(from: from, to: style, &output) { return now = to }
        let way = way(to: table.looks[Int(style)], isErasing: isErasing, swatches: table.swatches)
        if way.cost > 0 { go(way, swatches: table.swatches, store: table.store, output: &output) }
        if isKnown { memory.keep(from: from, style: style, to: now, sent: output.bytes[start...]) }
    }

    /// Ends all that is on.
    mutating func goToPlain(_ table: borrowing StyleTable, _ output: inout ByteSink) {
        let way = wayToPlain(swatches: table.swatches)
        if way.cost > 0 { go(way, swatches: table.swatches, store: table.store, output: &output) }
    }

    // MARK: Settings that look right

    private func wanted(_ look: StyleTable.Look, isErasing: Bool) -> Setting {
        guard look.isBlank else { return Setting(foreground: look.foreground, background: look.background, attributes: look.attributes) }
        // A blank shows neither its foreground nor most attributes: they stay.
        let kept = isErasing ? 0 : now.attributes & ~(Rendition.reverse | Rendition.underline)
        return Setting(foreground: isUnknown ? 0 : now.foreground, background: look.background, attributes: isUnknown ? 0 : kept)
    }

    /// The same look with the colours the other way round and reverse video. That goes where neither is the terminal's own.
    private func exchanged(_ look: StyleTable.Look) -> Setting? {
        guard mayReverse, !isUnknown, look.background != StyleTable.terminals else { return nil }
        if look.isBlank {
            guard now.attributes & Rendition.reverse != 0 else { return nil }
            let kept = now.attributes & ~(Rendition.underline | Rendition.bold | Rendition.dim)
            return Setting(foreground: look.background, background: now.background, attributes: kept)
        }
        guard look.foreground != StyleTable.terminals, look.attributes & (Rendition.bold | Rendition.dim) == 0 else { return nil }
        return Setting(foreground: look.background, background: look.foreground, attributes: look.attributes ^ Rendition.reverse)
    }

    // MARK: Ways

    private func way(to setting: Setting, _ swatches: [StyleTable.Swatch]) -> Way {
        guard !isUnknown else { return throughReset(setting, swatches) }
        var cost = 0
        let ended = now.attributes & ~setting.attributes
        if ended & ~endable != 0 { return throughReset(setting, swatches) }
        cost += 3 * ended.nonzeroBitCount + 2 * (setting.attributes & ~now.attributes).nonzeroBitCount
        if setting.foreground != now.foreground {
            let span = swatches[Int(setting.foreground)].foreground
            guard span.exists else { return throughReset(setting, swatches) }
            cost += Int(span.count) + 1
        }
        if setting.background != now.background {
            let span = swatches[Int(setting.background)].background
            guard span.exists else { return throughReset(setting, swatches) }
            cost += Int(span.count) + 1
        }
        let way = Way(setting: setting, isReset: false, cost: cost == 0 ? 0 : cost + Rendition.frame)
        // A reset is for more than one colour, or the end of something.
        guard ended != 0 || setting.foreground == 0 || setting.background == 0, cost > 0 else { return way }
        let other = throughReset(setting, swatches)
        return other.cost < way.cost ? other : way
    }

    /// Bytes around the numbers of a sequence.
    private static let frame = 2

    private func throughReset(_ setting: Setting, _ swatches: [StyleTable.Swatch]) -> Way {
        var cost = 2 * setting.attributes.nonzeroBitCount
        if setting.foreground != 0 { cost += Int(swatches[Int(setting.foreground)].foreground.count) + 1 }
        if setting.background != 0 { cost += Int(swatches[Int(setting.background)].background.count) + 1 }
        // Alone it needs no number.
        return Way(setting: setting, isReset: true, cost: Rendition.frame + (cost == 0 ? 1 : cost + 2))
    }

    /// Adds a way to the output and takes it.
    private mutating func go(_ way: Way, swatches: [StyleTable.Swatch], store: PieceStore, output: inout ByteSink) {
        var sequence = Sequence()
        var from = now
        if way.isReset {
            for span in reset { sequence.add(span, store, &output) }
            from = Setting(foreground: 0, background: 0, attributes: 0)
        }
        let (to, ended) = (way.setting, from.attributes & ~way.setting.attributes)
        let begun = to.attributes & ~from.attributes
        if ended | begun != 0 {
            for bit in ends.indices where ended & 1 << UInt8(bit) != 0 { sequence.add(ends[bit], store, &output) }
            for bit in begins.indices where begun & 1 << UInt8(bit) != 0 { sequence.add(begins[bit], store, &output) }
        }
        if to.foreground != from.foreground { sequence.add(swatches[Int(to.foreground)].foreground, store, &output) }
        if to.background != from.background { sequence.add(swatches[Int(to.background)].background, store, &output) }
        sequence.end(&output)
        (now, isUnknown) = (to, false)
    }

    /// Pieces that become one sequence, as far as they can.
    private struct Sequence {
        private var isOpen = false
        private var isLoneReset = false

        mutating func add(_ span: PieceStore.Span, _ store: PieceStore, _ output: inout ByteSink) {
            guard span.exists else { return }
            let (start, end) = (Int(span.start), Int(span.start + span.count))
            if span.isRendition {
                isLoneReset = !isOpen && span.count == 1 && store.bytes[start] == 0x30
                if isOpen {
                    output.append(0x3b)
                } else {
                    output.append(0x1b)
                    output.append(0x5b)
                }
                isOpen = true
            } else {
                self.end(&output)
            }
            // One by one: pieces are short, and a slice of them would be counted by everybody who has it.
            for index in start..<end { output.append(store.bytes[index]) }
        }

        mutating func end(_ output: inout ByteSink) {
            guard isOpen else { return }
            // `ESC [ m` is as good as `ESC [ 0 m`.
            if isLoneReset { output.removeLast() }
            output.append(0x6d)
            isOpen = false
            isLoneReset = false
        }
    }
}
