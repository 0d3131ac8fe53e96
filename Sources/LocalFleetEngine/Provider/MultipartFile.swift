/// The part `file` of a multipart/form-data body, as web forms and `curl --form` send it.
package enum MultipartFile {
    private static let newline = UInt8(ascii: "\n")

    /// Returns the boundary text that separates the parts of the body; nil if the content type is not multipart/form-data or has no
    /// boundary.
    package static func boundary(ofContentType type: String) -> String? {
        let words = type.split(separator: ";").map { trimmed($0) }
        guard words.first?.lowercased() == "multipart/form-data" else { return nil }
        let prefix = "boundary="
        guard let word = words.first(where: { $0.lowercased().hasPrefix(prefix) }) else { return nil }
        let boundary = word.dropFirst(prefix.count).filter { $0 != "\"" }
        return boundary.isEmpty ? nil : String(boundary)
    }

    /// Returns the content of the part; nil if the part is missing or incomplete. The content may have white space at its end.
    package static func file(in body: [UInt8], boundary: String) -> [UInt8]? {
        let delimiter = Array("--\(boundary)".utf8)
        var start: Int?
        for line in body.split(separator: newline, omittingEmptySubsequences: false) where line.starts(with: delimiter) {
            if let start, let file = file(ofPart: body[start..<line.startIndex]) { return Array(file) }
            start = min(line.endIndex + 1, body.endIndex)
        }
        return nil
    }

    private static func file(ofPart part: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = part
        var isFile = false
        while let end = rest.firstIndex(of: newline) {
            let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: ";").map { trimmed($0) }
            rest = rest[(end + 1)...]
            guard let first = words.first, !first.isEmpty else { return isFile ? rest : nil }
            guard first.lowercased().hasPrefix("content-disposition:") else { continue }
            isFile = words.contains { $0 == "name=\"file\"" || $0 == "name=file" }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
