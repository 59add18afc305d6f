/** Pixels of a saved side, within what browsers draw, and the density of small pictures. */
const MAX_SIDE_PX = 8_000
const DENSITY = 2

/** Draws an SVG as a PNG. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const { naturalWidth, naturalHeight } = image
  const scale = Math.min(DENSITY, MAX_SIDE_PX / Math.max(naturalWidth, naturalHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(naturalWidth * scale)
  canvas.height = Math.round(naturalHeight * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser wrote no PNG'))), 'image/png')
  })
}
