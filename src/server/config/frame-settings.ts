import { FrameChats } from '../../contract/config.ts'
import { text } from './setting-schemas.ts'

export const FRAME_ENVIRONMENT = {
  FRAME_ANCESTORS: text.optional().describe('Origins of sites that can embed the page in a frame, separated by commas.'),
  FRAME_CHATS: FrameChats.default('remember').describe(
    'Lifetime of chats on sites that embed the page. `remember`: as on the page itself. `visit`: until the browser is closed, and at most 2 hours after their last use.',
  ),
}
