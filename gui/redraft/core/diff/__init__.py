"""Line and word differences, finished and streaming."""
