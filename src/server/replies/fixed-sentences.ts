// Translated by `translated`; the other languages are in `src/server/translations/messages`.

/** Follows `NOT_FOR_THIS`. `{contact}` is replaced. */
export const CONTACT_SENTENCE = 'You can contact {contact}.'

/** The reply to a prompt about a topic that the policy excludes. */
export const NOT_FOR_THIS = 'I can’t help with this topic here.'

/** The reply to a prompt in a language that the agent doesn't answer in. `{languages}` is replaced. */
export const OTHER_LANGUAGE = 'I can only answer in {languages}.'

/** The reply while staff have stopped answers, if they gave no text. */
export const SUSPENDED = 'This can’t be answered at the moment. Please try again later.'

/** The reply to an attempt to change the assistant's instructions. */
export const INSTRUCTIONS_STAY = 'I can’t follow that. Ask me a question and I’ll try to help.'

/** The reply when the sources support nothing of an answer. */
export const UNSUPPORTED_ANSWER = 'I can’t answer this from the sources that I have.'

/** Follows, in brackets, a sentence that the sources don't support. */
export const NOT_CONFIRMED = 'not confirmed by the sources'

/** The reply to a visitor who asks for a person, followed by links. */
export const WAYS_TO_A_PERSON = 'You can reach a person here:'

/** The reply where there is no link; the page offers to leave a message. */
export const STAFF_CAN_HELP = 'Our staff can help you.'

/** Follow either, where it is known whether somebody is there. `{time}` is replaced. */
export const STAFF_ARE_THERE = 'Somebody is there until {time}.'
export const NOBODY_IS_THERE = 'Nobody is there at the moment. Opens again: {time}.'
