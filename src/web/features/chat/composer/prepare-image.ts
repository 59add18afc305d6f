import { MAX_FILE_BYTES } from '../../../../contract/size-limits.ts'

/** Models use no more pixels of an image's longer side. */
const MAX_SIDE_PX = 2048
const JPEG_QUALITY = 0.86

/** Scales an image down to what models use. One that the browser can't draw stays as it is. */
export async function prepareImage(source: File): Promise<Blob> {
  const image = await createImageBitmap(source).catch(() => null)
  if (!image || !isCanvasReadable()) return source
  const content = isToShrink(source, image) ? await shrink(source, image) : source
  image.close()
  return content
}

/** Moving ones would stand still. */
function isToShrink({ size, type }: File, { width, height }: ImageBitmap): boolean {
  return type !== 'image/gif' && (Math.max(width, height) > MAX_SIDE_PX || size > MAX_FILE_BYTES)
}

/** Downscales; keeps PNG if it fits, otherwise JPEG. */
async function shrink(source: File, image: ImageBitmap): Promise<Blob> {
  const canvas = draw(image, Math.min(1, MAX_SIDE_PX / Math.max(image.width, image.height)))
  const same = source.type === 'image/png' ? await encode(canvas, 'image/png') : null
  if (same && same.size <= MAX_FILE_BYTES) return same
  return (await encode(canvas, 'image/jpeg')) ?? source
}

function draw(image: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws nothing')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

const encode = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY))

/** `false` where the browser adds noise to what is read from a canvas, against fingerprinting. The image is then sent as it is. */
function isCanvasReadable(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) return false
  context.fillStyle = '#123456'
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data].join() === '18,52,86,255'
}
