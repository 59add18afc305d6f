import { z } from 'zod'
import { Banner } from '../banner.ts'
import { MAX_BANNER_CHARACTERS } from '../banner-size.ts'

export const NewBanner = z.strictObject({ text: z.string().trim().min(1).max(MAX_BANNER_CHARACTERS).describe('Plain text.') })
export const BannerInForce = z.object({ banner: Banner.nullable() })
export type BannerInForce = z.infer<typeof BannerInForce>
