import { encodeQR } from 'qr'
import type { ReactNode } from 'react'

/** A QR code (ISO/IEC 18004), dark on light in both themes, as scanners expect. All dark cells are in one path. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
