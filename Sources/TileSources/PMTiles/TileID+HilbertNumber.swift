import VectorTiles

extension TileID {
    /// The index of the tile in PMTiles' order: zoom by zoom, and along a Hilbert curve within a zoom. The index is below 2^62 / 3.
    var hilbertNumber: UInt64 {
        var (x, y) = (UInt64(self.x), UInt64(self.y))
        var number: UInt64 = 0
        for level in stride(from: zoom - 1, through: 0, by: -1) {
            let side: UInt64 = 1 << UInt64(level)
            let right: UInt64 = x & side == 0 ? 0 : 1
            let down: UInt64 = y & side == 0 ? 0 : 1
            number += side * side * (3 * right ^ down)
            x &= side - 1
            y &= side - 1
            guard down == 0 else { continue }
            if right == 1 { (x, y) = (side - 1 - x, side - 1 - y) }
            swap(&x, &y)
        }
        // The number of tiles at all lower zooms: 1 + 4 + 16 + …
        return ((1 << UInt64(2 * zoom)) - 1) / 3 + number
    }

    /// Returns the zoom of the tile with this number, at most the highest zoom.
    static func zoom(ofHilbertNumber number: UInt64) -> Int {
        var zoom = zoomRange.lowerBound
        while zoom < zoomRange.upperBound, number >= ((1 << UInt64(2 * zoom + 2)) - 1) / 3 { zoom += 1 }
        return zoom
    }
}
