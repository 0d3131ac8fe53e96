/// The tables of a text during parsing. Later lines can extend some of them.
struct TOMLTree {
    /// The kind of a node. For a table, it says which statement created the table.
    private enum Kind {
        /// A table without its own header, known only from the header of a table inside it.
        case implied
        /// A table with its own header, or an element of an array of tables.
        case header
        /// A table created by a key with dots, or by braces.
        case dotted
        /// A list of tables.
        case rows
        case value(TOMLDocument.Value)
    }

    private struct Node {
        var kind: Kind
        /// Line of the table's own header, or else of the first mention; counted from 1.
        var line: Int
        var children: [String: Int] = [:]
        /// Indexes of the tables, if this is an array of tables.
        var elements: [Int] = []
    }

    /// Index of the top-level table.
    static let root = 0

    private var nodes = [Node(kind: .header, line: 1)]

    /// Adds a table that is not yet part of another one.
    mutating func addTable(line: Int) -> Int {
        nodes.append(Node(kind: .dotted, line: line))
        return nodes.count - 1
    }

    /// Opens the table of a header.
    ///
    /// - Parameter isElement: whether the header begins another element of an array of tables.
    /// - Returns: the table's index; nil if the name conflicts with an earlier key or table. `obstacle` is the line of that key or table.
    mutating func open(_ path: [String], isElement: Bool, line: Int) -> (table: Int?, obstacle: Int) {
        var table = Self.root
        for name in path.dropLast() {
            guard let child = nodes[table].children[name] else {
                table = add(name, to: table, .implied, line: line)
                continue
            }
            switch nodes[child].kind {
            case .implied, .header, .dotted: table = child
            case .rows: table = nodes[child].elements.last ?? child
            case .value: return (nil, nodes[child].line)
            }
        }
        let name = path.last ?? ""
        guard let child = nodes[table].children[name] else {
            let added = add(name, to: table, isElement ? .rows : .header, line: line)
            return (isElement ? addElement(to: added, line: line) : added, line)
        }
        switch (nodes[child].kind, isElement) {
        case (.implied, false): (nodes[child].kind, nodes[child].line) = (.header, line)
        case (.rows, true): return (addElement(to: child, line: line), line)
        default: return (nil, nodes[child].line)
        }
        return (child, line)
    }

    /// Sets a key of a table. If the key has dots, the tables that it names are added as needed.
    ///
    /// - Returns: the line of an earlier key or table that conflicts with this key; nil without a conflict.
    mutating func set(_ path: [String], to value: TOMLDocument.Value, in table: Int, line: Int) -> Int? {
        var table = table
        for name in path.dropLast() {
            guard let child = nodes[table].children[name] else {
                table = add(name, to: table, .dotted, line: line)
                continue
            }
            switch nodes[child].kind {
            case .implied, .dotted: nodes[child].kind = .dotted
            case .header, .rows, .value: return nodes[child].line
            }
            table = child
        }
        let name = path.last ?? ""
        if let child = nodes[table].children[name] { return nodes[child].line }
        _ = add(name, to: table, .value(value), line: line)
        return nil
    }

    /// Returns the keys and values of a table.
    func values(of table: Int) -> [String: TOMLDocument.Value] {
        nodes[table].children.mapValues { child in
            switch nodes[child].kind {
            case .implied, .header, .dotted: .table(values(of: child))
            case .rows: .array(nodes[child].elements.map { .table(values(of: $0)) })
            case .value(let value): value
            }
        }
    }

    private mutating func add(_ name: String, to table: Int, _ kind: Kind, line: Int) -> Int {
        nodes.append(Node(kind: kind, line: line))
        nodes[table].children[name] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func addElement(to list: Int, line: Int) -> Int {
        nodes.append(Node(kind: .header, line: line))
        nodes[list].elements.append(nodes.count - 1)
        return nodes.count - 1
    }
}
