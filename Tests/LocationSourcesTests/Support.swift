import FoundationEssentials
import Geo

@testable import LocationSources

/// Returns a function that gives the bytes in pieces of `size` bytes, as when a file is read.
func pieces(_ bytes: [UInt8], of size: Int = 7) -> () throws(LocationFileError) -> [UInt8]? {
    var offset = 0
    return { () throws(LocationFileError) in
        guard offset < bytes.count else { return nil }
        defer { offset = min(bytes.count, offset + size) }
        return Array(bytes[offset..<min(bytes.count, offset + size)])
    }
}

func gpx(_ text: String, size: Int = 7) throws(LocationFileError) -> RecordedTrack {
    try GPXReader.track(pieces(Array(text.utf8), of: size))
}

func nmea(_ text: String, size: Int = 11) throws(LocationFileError) -> RecordedTrack {
    try NMEAReader.track(pieces(Array(text.utf8), of: size))
}

/// Returns an NMEA sentence with its checksum.
func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
}

extension RecordedTrack {
    /// The times of all points, seconds since the first fix.
    var seconds: [Double] { (0..<count).compactMap { point($0)?.seconds } }
    var coordinates: [Coordinate] { (0..<count).compactMap { point($0)?.point.coordinate } }
}

/// Returns a file of the test data beside the project's folder; nil if the file is missing.
func sharedFile(_ path: String) -> [UInt8]? {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.deletingLastPathComponent().appending(path: "shared/data/navigation/\(path)")
    return (try? Data(contentsOf: file)).map { Array($0) }
}
