const LONGEST_SIDE = 480;

/** Draws a thumbnail of a file; undefined if the browser cannot show the format (TIFF, some videos). */
export async function thumbnailOf(file: File): Promise<string | undefined> {
  const url = URL.createObjectURL(file);
  try {
    return file.type.startsWith("video/") ? await posterOf(url) : await pictureOf(url);
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function pictureOf(url: string): Promise<string> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return draw(image, image.naturalWidth, image.naturalHeight);
}

async function posterOf(url: string): Promise<string> {
  const video = document.createElement("video");
  video.muted = true;
  video.preload = "auto";
  await new Promise((resolve, reject) => {
    video.onloadeddata = resolve;
    video.onerror = reject;
    video.src = url;
  });
  return draw(video, video.videoWidth, video.videoHeight);
}

function draw(source: CanvasImageSource, width: number, height: number): string {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext("2d")?.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/webp", 0.8);
}
