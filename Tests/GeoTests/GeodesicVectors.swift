import Geo

/// The length and the starting direction of a geodesic on WGS84, computed with C. Karney's GeographicLib.
struct GeodesicVector: Sendable, CustomStringConvertible {
    var from: Coordinate
    var to: Coordinate
    var meters: Double
    var azimuth: Double

    init(_ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double, meters: Double, azimuth: Double) {
        from = Coordinate(latitude: latitude1, longitude: longitude1)
        to = Coordinate(latitude: latitude2, longitude: longitude2)
        self.meters = meters
        self.azimuth = azimuth
    }

    var description: String { "\(from.latitude),\(from.longitude) to \(to.latitude),\(to.longitude)" }
}

extension GeodesicVector {
    /// Geodesics from 30 m to 20 km, at latitudes from -80 to 80.
    static let short: [GeodesicVector] = [
        GeodesicVector(-80, 66.865242, -79.999972, 66.863704, meters: 29.990633, azimuth: 275.983114),
        GeodesicVector(-80, -86.221946, -80.004123, -86.249141, meters: 699.991165, azimuth: 228.863022),
        GeodesicVector(-80, 133.594804, -80.048161, 133.457271, meters: 5999.960860, azimuth: 206.258666),
        GeodesicVector(-80, -31.763221, -79.821911, -31.802251, meters: 19899.954245, azimuth: 357.781704),
        GeodesicVector(-66.817402, -64.929046, -66.817146, -64.929256, meters: 30.003551, azimuth: 342.085677),
        GeodesicVector(-66.540479, -104.593727, -66.54304, -104.579345, meters: 700.033832, azimuth: 114.083780),
        GeodesicVector(-66.173091, -59.030797, -66.221381, -58.972056, meters: 6000.033752, azimuth: 153.853960),
        GeodesicVector(-66.397853, 109.70504, -66.576084, 109.727251, meters: 19899.942033, azimuth: 177.160859),
        GeodesicVector(-45.334827, 26.28237, -45.334564, 26.282453, meters: 29.944708, azimuth: 12.548744),
        GeodesicVector(-45.32438, -111.168823, -45.326571, -111.177194, meters: 699.997618, azimuth: 249.640327),
        GeodesicVector(-45.173222, 68.299682, -45.145241, 68.364941, meters: 5999.930410, azimuth: 58.805954),
        GeodesicVector(-45.305842, -171.119243, -45.354689, -171.363465, meters: 19899.983172, azimuth: 254.082077),
        GeodesicVector(-23.11271, -100.640045, -23.112689, -100.639753, meters: 30.001944, azimuth: 85.554207),
        GeodesicVector(-23.789616, 52.004182, -23.791597, 52.010705, meters: 700.066560, azimuth: 108.266014),
        GeodesicVector(-23.690502, 52.727608, -23.734379, 52.693098, meters: 6000.012311, azimuth: 215.904508),
        GeodesicVector(-23.442089, -124.568229, -23.557704, -124.71737, meters: 19900.049608, azimuth: 229.921500),
        GeodesicVector(-0.955449, -24.088534, -0.95531, -24.088303, meters: 29.954987, azimuth: 59.129543),
        GeodesicVector(-0.656933, 130.37823, -0.65927, 130.372386, meters: 699.955900, azimuth: 248.334673),
        GeodesicVector(-0.603198, 28.849774, -0.633635, 28.894398, meters: 6000.029721, azimuth: 124.119875),
        GeodesicVector(-1.306921, 38.659166, -1.485542, 38.637324, meters: 19900.015938, azimuth: 187.015753),
        GeodesicVector(-0.05085, 176.855911, -0.050706, 176.855683, meters: 29.961959, azimuth: 302.102152),
        GeodesicVector(-0.308135, 137.932706, -0.301805, 137.932785, meters: 699.990608, azimuth: 0.719837),
        GeodesicVector(0.121173, -66.297706, 0.114299, -66.35117, meters: 5999.912634, azimuth: 262.722092),
        GeodesicVector(0.362029, 10.895125, 0.376619, 10.716945, meters: 19899.999036, azimuth: 274.650603),
        GeodesicVector(12.143488, 60.076797, 12.143688, 60.076983, meters: 29.989434, azimuth: 42.459934),
        GeodesicVector(12.464179, -59.763826, 12.469851, -59.760971, meters: 700.035895, azimuth: 26.318486),
        GeodesicVector(12.697791, -146.018737, 12.695295, -145.963555, meters: 5999.952876, azimuth: 92.631710),
        GeodesicVector(12.168735, 58.258092, 12.112008, 58.431591, meters: 19900.011783, azimuth: 108.363276),
        GeodesicVector(37.035457, -169.755132, 37.035508, -169.754801, meters: 29.988128, azimuth: 79.120767),
        GeodesicVector(37.405312, -175.136931, 37.411549, -175.135754, meters: 700.014690, azimuth: 8.560471),
        GeodesicVector(37.533258, 9.800143, 37.568964, 9.851125, meters: 6000.014976, azimuth: 48.647372),
        GeodesicVector(37.249675, -134.253387, 37.221372, -134.031938, meters: 19900.045911, azimuth: 99.014830),
        GeodesicVector(47.510432, -101.2373, 47.510519, -101.236924, meters: 29.929666, azimuth: 71.144394),
        GeodesicVector(47.381115, -71.290735, 47.375192, -71.293876, meters: 699.927078, azimuth: 199.810666),
        GeodesicVector(47.908943, 53.12097, 47.857776, 53.146456, meters: 6000.005945, azimuth: 161.466830),
        GeodesicVector(47.202593, -111.806115, 47.083383, -112.00182, meters: 19899.983290, azimuth: 228.314174),
        GeodesicVector(59.924055, 124.603804, 59.924281, 124.603513, meters: 29.980830, azimuth: 327.122597),
        GeodesicVector(59.837186, -48.647526, 59.835311, -48.635612, meters: 699.980150, azimuth: 107.357985),
        GeodesicVector(60.141166, -144.074756, 60.13229, -143.96826, meters: 5999.995922, azimuth: 99.440565),
        GeodesicVector(60.302814, -45.508557, 60.478224, -45.576516, meters: 19899.996985, azimuth: 349.175473),
        GeodesicVector(70.916722, 120.954941, 70.916461, 120.955132, meters: 29.943722, azimuth: 166.535038),
        GeodesicVector(70.679499, 27.87617, 70.681008, 27.894564, meters: 700.007018, azimuth: 76.074577),
        GeodesicVector(71.334322, 72.124628, 71.281452, 72.094009, meters: 6000.020971, azimuth: 190.536266),
        GeodesicVector(71.338066, 16.899035, 71.512489, 16.782292, meters: 19900.025976, azimuth: 348.011918),
        GeodesicVector(80, -115.253192, 79.999927, -115.251704, meters: 29.986720, azimuth: 105.772232),
        GeodesicVector(80, -143.64079, 80.006227, -143.644968, meters: 700.008860, azimuth: 353.357232),
        GeodesicVector(80, 89.64626, 79.960366, 89.437756, meters: 6000.019918, azimuth: 222.576664),
        GeodesicVector(80, 36.348865, 79.844682, 35.849472, meters: 19899.985389, azimuth: 209.614088),
    ]

    /// Geodesics across the antimeridian, at the poles, along parallels and along the equator.
    static let edge: [GeodesicVector] = [
        GeodesicVector(10, 179.99, 10.01, -179.98, meters: 3470.128059, azimuth: 71.410489),
        GeodesicVector(-45.2, -179.95, -45.25, 179.97, meters: 8387.748950, azimuth: 228.481482),
        GeodesicVector(0, 180, 0.001, -180, meters: 110.574276, azimuth: 0.000000),
        GeodesicVector(89.99, 10, 89.99, -170, meters: 2233.879591, azimuth: 0.000000),
        GeodesicVector(89.95, 0, 89.9, 90, meters: 12487.765172, azimuth: 63.434975),
        GeodesicVector(-90, 0, -89.9, 33, meters: 11169.397841, azimuth: 33.000000),
        GeodesicVector(80, 20, 80, 21.02, meters: 19781.101900, azimuth: 89.497748),
        GeodesicVector(-80, 0, -80, 1.03, meters: 19975.029231, azimuth: 90.507176),
        GeodesicVector(0, 0, 0.18, 0, meters: 19903.370305, azimuth: 0.000000),
        GeodesicVector(0, 0, 0, 0.179, meters: 19926.188852, azimuth: 90.000000),
    ]

    /// Geodesics from 21 km up to the distance between the poles.
    static let long: [GeodesicVector] = [
        GeodesicVector(-23.848862, -78.135027, -23.668477, -78.07156, meters: 20999.985113, azimuth: 17.956898),
        GeodesicVector(26.357186, 137.00086, 26.170851, 137.204747, meters: 29000.015197, azimuth: 135.342642),
        GeodesicVector(60.861949, -36.966571, 60.853111, -36.396476, meters: 31000.008961, azimuth: 91.571459),
        GeodesicVector(51.115067, 153.522806, 51.491272, 153.915035, meters: 49999.960328, azimuth: 33.013558),
        GeodesicVector(63.122647, -65.107405, 63.267813, -67.469841, meters: 119999.962002, azimuth: 278.802195),
        GeodesicVector(-35.201409, 176.48537, -37.008, -179.66982, meters: 400000.042389, azimuth: 121.194862),
        GeodesicVector(-49.883873, -161.141731, -43.525036, -151.866146, meters: 999999.950198, azimuth: 48.560834),
        GeodesicVector(-69.488561, 115.200956, -42.642346, 119.663298, meters: 2999999.938798, azimuth: 7.265436),
        GeodesicVector(-64.948483, -93.757666, -9.987282, -49.148874, meters: 7000000.042271, azimuth: 51.005840),
        GeodesicVector(46.851833, -177.595083, -29.986795, 97.703181, meters: 12000000.037998, azimuth: 245.286985),
        GeodesicVector(-25.515179, -127.203738, 24.622081, 12.703334, meters: 15999999.965486, azimuth: 82.699117),
        GeodesicVector(4.49266, -91.009967, -11.402085, 82.889143, meters: 18999999.900463, azimuth: 140.818037),
        GeodesicVector(51.5, -0.12, 40.7, -74, meters: 5586501.473062, azimuth: 288.363007),
        GeodesicVector(-33.87, 151.21, 37.62, -122.38, meters: 11929036.937174, azimuth: 56.100809),
        GeodesicVector(90, 0, -90, 0, meters: 20003931.458625, azimuth: 180.000000),
        GeodesicVector(0, 0, 0, 90, meters: 10018754.171395, azimuth: 90.000000),
        GeodesicVector(0, 0, 0, 170, meters: 18924313.434857, azimuth: 90.000000),
        GeodesicVector(45, 170, 45, -170, meters: 1572912.206686, azimuth: 82.892803),
    ]

    /// Pairs for which Vincenty's iteration does not converge.
    static let antipodal: [GeodesicVector] = [
        GeodesicVector(0, 0, 0, 180, meters: 20003931.458625, azimuth: 0.000000),
        GeodesicVector(0, 0, 0.1, 179.8, meters: 19989713.478535, azimuth: 16.441918),
        GeodesicVector(30, 0, -30, 179.9, meters: 20003008.421509, azimuth: 11.030297),
        GeodesicVector(45, 10, -45, -170, meters: 20003931.458625, azimuth: 0.000000),
    ]
}
