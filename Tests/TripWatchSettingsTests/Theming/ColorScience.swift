import Glibc
import TerminalCanvas

/// A colour as linear (not gamma-encoded) amounts of red, green and blue, from which contrast is computed.
struct LinearRGB {
    var red: Double
    var green: Double
    var blue: Double

    /// Decodes sRGB components with the transfer function of IEC 61966-2-1.
    init(_ components: (red: UInt8, green: UInt8, blue: UInt8)) {
        func linear(_ value: UInt8) -> Double {
            let share = Double(value) / 255
            return share <= 0.040_45 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        (red, green, blue) = (linear(components.red), linear(components.green), linear(components.blue))
    }

    /// The relative luminance of WCAG 2.2.
    var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    func contrast(with other: LinearRGB) -> Double {
        (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
    }

    /// Returns the colour as a person without one kind of cone sees it. The matrices are those of Machado, Oliveira and Fernandes
    /// (2009, severity 1).
    func seen(by sight: Sight) -> LinearRGB {
        guard let matrix = sight.matrix else { return self }
        func row(_ row: [Double]) -> Double { min(1, max(0, row[0] * red + row[1] * green + row[2] * blue)) }
        var color = self
        (color.red, color.green, color.blue) = (row(matrix[0]), row(matrix[1]), row(matrix[2]))
        return color
    }

    /// Returns the distance between two colours in CIE L*a*b* for D65 (CIE76). Side by side, a distance of 2 is barely visible.
    func difference(from other: LinearRGB) -> Double {
        let (one, two) = (lab, other.lab)
        return ((one.0 - two.0) * (one.0 - two.0) + (one.1 - two.1) * (one.1 - two.1) + (one.2 - two.2) * (one.2 - two.2)).squareRoot()
    }

    private var lab: (Double, Double, Double) {
        func curve(_ value: Double) -> Double { value > 0.008_856 ? cbrt(value) : 7.787 * value + 16.0 / 116 }
        let x = curve((0.412_456_4 * red + 0.357_576_1 * green + 0.180_437_5 * blue) / 0.950_47)
        let y = curve(0.212_672_9 * red + 0.715_152_2 * green + 0.072_175 * blue)
        let z = curve((0.019_333_9 * red + 0.119_192 * green + 0.950_304_1 * blue) / 1.088_83)
        return (116 * y - 16, 500 * (x - y), 200 * (y - z))
    }
}

/// Kinds of colour vision.
enum Sight: CaseIterable {
    case full
    case withoutRed
    case withoutGreen
    case withoutBlue

    fileprivate var matrix: [[Double]]? {
        switch self {
        case .full: nil
        case .withoutRed:
            [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]]
        case .withoutGreen:
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]]
        case .withoutBlue:
            [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]]
        }
    }
}

extension Color {
    var linear: LinearRGB? { components.map { LinearRGB($0) } }
}
