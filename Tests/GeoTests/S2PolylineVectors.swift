import Geo

/// An encoded S2 polyline, its vertices, and their positions after snapping to cells. They were computed with the cells of s2sphere and an
/// encoder that is not part of this project.
struct S2PolylineVector: Sendable, CustomStringConvertible {
    var description: String
    var level: Int
    var vertices: [Coordinate]
    var snapped: [Coordinate]
    var encoded: String

    init(_ name: String, level: Int = 22, _ vertices: [(Double, Double)], snapped: [(Double, Double)], _ encoded: String) {
        description = name
        self.level = level
        self.vertices = vertices.map { Coordinate(latitude: $0.0, longitude: $0.1) }
        self.snapped = snapped.map { Coordinate(latitude: $0.0, longitude: $0.1) }
        self.encoded = encoded
    }
}

extension S2PolylineVector {
    /// Lines in the form that Fleet Engine writes. Together they cover every cube face, and some cross the edges between faces.
    static let level22: [S2PolylineVector] = [
        S2PolylineVector(
            "face 0, Gulf of Guinea", level: 22, [(1.2, 3.4), (1.2005, 3.4013), (1.201, 3.4009), (1.2, 3.4)],
            snapped: [(1.200001808, 3.399995684), (1.200506095, 3.401295963), (1.200993759, 3.400901935), (1.200001808, 3.399995684)],
            "AhYEGN2p8u8EDLiUAceIAaePAgA="),
        S2PolylineVector(
            "face 1, Bengal", level: 22, [(22.57, 88.36), (22.5712, 88.3601), (22.574, 88.362)],
            snapped: [(22.570001575, 88.360006758), (22.571189477, 88.36010158), (22.574001506, 88.361997975)],
            "AhYDE3sUl-7-CexQ3IsDAA=="),
        S2PolylineVector(
            "face 2, north", level: 22, [(64.15, -21.94), (64.151, -21.93), (64.1493, -21.921)],
            snapped: [(64.149997664, -21.939982268), (64.150993428, -21.92997931), (64.149294407, -21.920988275)],
            "AhYDFGJMFPV-CPecCv2kAwA="),
        S2PolylineVector(
            "face 3, Pacific, over the antimeridian", level: 22, [(-17.8, 179.999), (-17.8004, -179.9995), (-17.801, -179.998)],
            snapped: [(-17.799998925, 179.999007333), (-17.800392227, -179.999499116), (-17.800993737, -179.998005533)],
            "AhYDFZKkvvv6BqSYAoQCAA=="),
        S2PolylineVector(
            "face 4, Panama", level: 22, [(8.98, -79.52), (8.9812, -79.5188), (8.985, -79.51)],
            snapped: [(8.980005029, -79.520000157), (8.98120441, -79.518792311), (8.984995593, -79.510007499)],
            "AhYDFudZbqhrCa17nZQmAA=="),
        S2PolylineVector(
            "face 5, south", level: 22, [(-77.85, 166.67), (-77.8512, 166.68), (-77.86, 166.7)],
            snapped: [(-77.849994644, 166.669973684), (-77.851189336, 166.679967714), (-77.859995238, 166.700040431)],
            "AhYDF21Q2BguBq2_AYXWJQA="),
        S2PolylineVector(
            "from face 0 to face 1 and back", level: 22, [(10, 44.99), (10.01, 45.01), (10.02, 45.02), (10.03, 44.98)],
            snapped: [
                (10.000006237, 44.990008621), (10.009999803, 45.009991379), (10.020005974, 45.019994046), (10.030004041, 44.980005954),
            ],
            "AhYEBg0G79n5dd0N2b3WqdWqBeLLl6rVqgWow5Oi1aoFAA=="),
        S2PolylineVector(
            "round a corner of the cube", level: 22, [(35.2, 44.9), (35.2, 45.1), (35.4, 45.1), (35.4, 44.9), (35.2, 44.9)],
            snapped: [
                (35.199995376, 44.899997381), (35.199995376, 45.100002619), (35.400000866, 45.10001574), (35.400000866, 44.89998426),
                (35.199995376, 44.899997381),
            ],
            "AhYFBgcOBqXJbPz_D9GgkKLUqgXuuJjJ_f8P9fO7javVCsSa_433_w8A"),
        S2PolylineVector(
            "both poles", level: 22, [(90, 0), (89.9999, 120), (-90, 0)],
            snapped: [(89.999987121, -135), (89.999906238, 119.054592501), (-89.999987121, 45)],
            "AhYDDgsAAAAAAAySAbUEAA=="),
        S2PolylineVector(
            "one vertex", level: 22, [(52.52, 13.4)],
            snapped: [(52.520003345, 13.400013282)],
            "AhYBCBTmRTyUAgA="),
        S2PolylineVector(
            "the same vertex three times", level: 22, [(-33.45, -70.66), (-33.45, -70.66), (-33.45, -70.66)],
            snapped: [(-33.449997398, -70.660006561), (-33.449997398, -70.660006561), (-33.449997398, -70.660006561)],
            "AhYDFu2VwrPiDQAAAA=="),
        S2PolylineVector(
            "all faces in turn", level: 22, [(0, 0), (0, 90), (90, 0), (0, 180), (0, -90), (-90, 0)],
            snapped: [
                (0.000009107, 0.000009107), (0.000009107, 90.000009107), (89.999987121, -135), (-0.000009107, 179.999990893),
                (-0.000009107, -89.999990893), (-89.999987121, 45),
            ],
            "AhYGBgcICQoLAAAAAAAMAAACIAIA"),
    ]

    /// Lines in forms that are only read and never written, such as other cell levels, or vertices that are not at the centre of a cell.
    static let readOnly: [S2PolylineVector] = [
        S2PolylineVector(
            "level 0", level: 0, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [(0, -90), (0, 90), (0, -90), (0, -90)],
            "AgAECgcQAAAAAA=="),
        S2PolylineVector(
            "level 1", level: 1, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (21.037511025, -112.619864948), (-21.037511025, 67.380135052), (21.037511025, -112.619864948),
                (21.037511025, -112.619864948),
            ],
            "AgEECgcQAAAAAAAA"),
        S2PolylineVector(
            "level 7", level: 7, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (37.596325612, -121.992807796), (-37.596325612, 58.007192204), (37.596325612, -121.992807796),
                (37.596325612, -121.992807796),
            ],
            "AgcECgcQGgL2B-Uf9gcA"),
        S2PolylineVector(
            "level 8", level: 8, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (37.387865615, -122.174604987), (-37.387865615, 57.825395013), (37.387865615, -122.174604987),
                (37.387865615, -122.174604987),
            ],
            "AggECgcQaQjGH6V-xh8A"),
        S2PolylineVector(
            "level 9", level: 9, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (37.338568291, -122.083744496), (-37.338568291, 57.916255504), (37.338568291, -122.083744496),
                (37.436976937, -122.265388729),
            ],
            "AgkECgcQpyEAAJp-lfkDpn4A"),
        S2PolylineVector(
            "level 15", level: 15, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (37.299006014, -122.099366581), (-37.299006014, 57.900633419), (37.309987598, -122.110726682),
                (37.398614141, -122.300830166),
            ],
            "Ag8ECgcQ3HYaAurmwx_Fm49-5uzIHwA="),
        S2PolylineVector(
            "level 16", level: 16, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (37.299392106, -122.100076622), (-37.299392106, 57.899923378), (37.309601725, -122.110016711),
                (37.399429473, -122.300121453),
            ],
            "AhAECgcQcNtpCKqbj36Z7rz4A6Kzo34A"),
        S2PolylineVector(
            "level 23", level: 23, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (37.300000623, -122.100004509), (-37.300000623, 57.899995491), (37.309996255, -122.110000071),
                (37.399993875, -122.300005179),
            ],
            "AhcECgcQKSDcdhoCxoGDno9-yam17rz4A6bxqLOjfgA="),
        S2PolylineVector(
            "level 30", level: 30, [(37.3, -122.1), (-37.3, 57.9), (37.31, -122.11), (37.4, -122.3)],
            snapped: [
                (37.299999982, -122.099999959), (-37.299999982, 57.900000041), (37.309999971, -122.110000028),
                (37.400000016, -122.300000032),
            ],
            "Ah4ECgcQZXsKCLedhgCGnsyBg56PfvX_x6m17rz4A57OpfGos6N-AA=="),
        S2PolylineVector(
            "off-centre vertices", level: 22, [(37.343083, -122.069707), (37.344, -122.069), (37.345, -122.068)],
            snapped: [(37.3430812, -122.0697034), (37.343991993, -122.068996868), (37.3450071, -122.0680049)],
            "AhYDFoF_XZ6GAMFgiQUCAEfSUNjuA9u_BXOWmfOO5b8WBDnIJ2njPwL43SysbQPbvxahDJvpjuW_f17t0l9p4z8="),
    ]
}
