import NIOHTTP2

/// Flow control of a connection. It limits the bytes that a client may send ahead of the server's reads.
extension GRPCConnection {
    /// Widens the flow-control window again before the client has used it up.
    func keepWindowOpen(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard let open = event.inboundWindowSize else { return }
        if event.streamID == .rootStream {
            guard open <= GRPCService.connectionWindowBytes / 2 else { return }
            widenWindow(of: .rootStream, by: GRPCService.connectionWindowBytes - open)
        } else {
            // The threshold is half of the first window, because a client uses that window until it has read the settings.
            guard open <= GRPCService.firstWindowBytes / 2, let call = calls[event.streamID], case .receiving = call.stage,
                !call.isReceived
            else { return }
            widenWindow(of: event.streamID, by: GRPCService.streamWindowBytes - open)
        }
        flush()
    }

    func widenWindow(of stream: HTTP2StreamID, by bytes: Int) {
        if bytes > 0 { write(stream, .windowUpdate(windowSizeIncrement: bytes)) }
    }
}
