import type { AttackRules } from '../attack-rules.ts'

const IGNORE =
  'ignore|disregard|forget|override|bypass|overrule|dismiss|discard|drop|abandon|erase|unlearn|suspend|disobey|set_aside|throw_away|throw-out|toss|put-aside|leave_behind|quit-following|no-need-to-follow|dont-listen-to|do-not-obey|dont-obey|need-not-follow|neednt-follow|not-listen-to|pay_no_attention|do-not-follow|dont-follow|stop-following|stop-obeying'
const NOUN = [
  'instruction*',
  'rule*',
  'guideline*',
  'directive*',
  'directions',
  'prompt*',
  'command*',
  'orders',
  'polic*',
  'restriction*',
  'constraints',
  'context',
  'programming',
  'criteria',
  'guardrails',
  'guidance',
]
const of = (qualifiers: string, nouns: readonly string[] = NOUN) =>
  qualifiers
    .split('|')
    .flatMap((qualifier) => nouns.map((noun) => `${qualifier}_${noun}`))
    .join('|')

const YOURS = of('your', [
  'instruction*',
  'rules',
  'guidelines',
  'directives',
  'directions',
  'prompt',
  'programming',
  'training',
  'restrictions',
  'guardrails',
  'filters',
  'constraints',
  'ethics',
  'policies',
  'limits',
  'limitations',
  'safety',
  'configuration',
  'guidance',
])
const PRINT =
  'show|print|repeat|reveal|output|list|display|tell|give|write|summari*|translate|leak|dump|copy|quote|recite|paste|echo|expose|disclose|return|spell|share|provide|what-is|what-are|whats|encode|rewrite|paraphrase|reproduce|type|say|render|convert|post|describe'
/** The visitor's own matter, or a correction. */
const OWN =
  'not:rules-about|rules-for|rules-on|rules-in|instructions-for|instructions-about|instructions-on|guidelines-for|guidelines-on|guidelines-from|restrictions-on|restrictions-for|were-wrong|are-wrong|i-sent|i-gave|i-wrote|i-asked|my-account|my-calendar|my-mailbox'
const PERSONA =
  'you-are-now|you-operate|youre-now|you-are-a|you-are-an|youre-a|youre-an|pretend|act-as|act-like|acting-as|imagine_you*|roleplay|role-play|play-the-role|play_character|behave_as|behave_like|simulate|respond-as|answer-as|speak-as|stay_in_character|in-character|you-will-be|persona|from-now-on|impersonate|assume_role|emulate|if-you-had|if-you-were|answer-twice|become|you-have-become|you-play|youll-play|you-will-play|your-character|in-this-story-you|game_where_you|play-a-character|an-ai-that|an-ai-who|an-ai-called|ai-named|opposite-day|two-answers|alter-ego|your-twin|youll-be|you-shall-be'
const FREE =
  'no-rules|no-filter*|no-restriction*|no-limit*|no-ethic*|no-moral*|no-censorship|no-guidelines|no-boundaries|no-safety*|without-rules|without_filter*|without_restriction*|without_ethic*|without_moral*|without_censor*|without_guidelines|without_safety|without_limitations|without_constraints|unfiltered|uncensored|unrestricted|unethical|amoral|evil-ai|evil-bot|evil-twin|evil-version|evil-assistant|rogue-ai|rogue-bot|jailbroken|jailbreak|do-anything-now|never-refuse*|cant-refuse|cannot-refuse|not_bound_by|free_from_rules|free_of_rules|free_of_restrictions|free_from_restrictions|doesnt_follow_rules|not_follow_rules|ignores_rules|ignores_guidelines|bypass_filter*|no-ethical*|no-taboos|free-of-censorship|breaks-the-rules|breaks-rules|breaks-all-rules|ignores-all|no-constraints|knows-no-rules|never-declines|never-apologi*|without-any-rules|outside_guidelines|safety-off|filters-off|no-content-policy|no-policies|not-follow-any'

export const EN: AttackRules = {
  override: [
    `${IGNORE} + ${YOURS} + not:my-application|my-account`,
    `${IGNORE} + ${of('previous|prior|earlier|preceding|above|initial|original|existing')}|instructions_you_received|instructions_you_were|rules_you_were|guidance_you_were|you-were-given + ${OWN}`,
    `${IGNORE} + ${of('all|any|every', ['rules', 'rule', 'instructions', 'guidelines', 'restrictions', 'directives', 'constraints', 'polic*', 'guardrails'])}|everything-above|everything_before_this|everything_told|anything_told|whatever_told|all-of-the-above|everything-before|the-system-prompt|the-user-and|safety_guidelines|safety_filter*|safety_rules|content_polic*|content_filter* + ${OWN}`,
    'you-are-no-longer|you_no_longer|you-are-free|youre-free|you_not_bound|you_dont_have_to_follow|you-have-no|you-are-not-bound|you_can_now_ignore + restriction*|filters|guidelines|limitations|limits|censorship|constraints|polic*|programming|safety|ethic*|bound',
    'new-rule*|new-instruction*|new-policy|new-directive*|new-orders|from-now-on|from_this_point|henceforth + never-refuse|never_say_no|comply|obey|no-restrictions|without_restrictions|unrestricted|do_anything|no-rules|no-limits|unfiltered|you-must-agree',
    'your_directions|your_instructions|your_rules|your_guidelines|your_orders|your_restrictions|your_polic*|your_filters|your_programming + void|cancelled|canceled|obsolete|revoked|overridden|lifted|suspended|disabled|turned-off|switched-off|deleted',
    'what-you-were-told|everything-you-were-told|instructions-you-were|rules-you-were|what_operator_told-you|the-operators-rules|the-system-prompt|text-above-this|your_instructions|your_guidelines|your_orders + dont-count|doesnt-count|no-longer-count*|were-a-test|was-a-test|was-only-a-test|never-existed|are-nonsense|end-here|are-over + you|your|now|from-now + not:form|leaflet|application|website|letter',
    'forget|ignore|disregard|wipe|erase|dismiss + who-you-are|what-you-are|what-you-were-told|what_told_you|that-you-are_assistant|that-youre_assistant|you-are-a-bot|being_assistant|your-role|your-purpose|your-job|your_memory|your-past_instructions|your-operator|your-developers|your-creators|the-operator|the-developers + not:application|form|password|talking|speaking|doing',
    'you_answer_only_to_me|you_take_orders_from_me|you-work-for-me-now|your-new-master|your-new-instructions-are|your-new-rules-are-as|your-new-task-is-to|here-are-your-new|these-are-your-new|your-only-rule|new-system-prompt|updated-instructions + now|you|answer|obey|only|rule*|instruction*|is|are|owner|master|boss|operator|developer',
    'your_programming|your_training + no-longer|void|is-over',
    'stop-being|stop-acting|quit-being|cease_being + assistant|bot|chatbot|ai',
    '!comply-with-everything|comply_with_all_requests|obey_the_user|obey-only-me|obey_my_every|obey_all_my',
    'safety|guidelines|filters|restrictions|content_filter + you|your|assistant|mode + disabled_by|deactivated|turn_off|switch_off|disable|deactivate',
    'my-guidelines|my-rules|my-instructions|my-restrictions|my-programming + i-will|i-can|ill|sure|assistant + ignore|drop|break|disregard|set-aside|forget',
  ],
  role_play: [
    `${PERSONA} + ${FREE} + not:can-the|can-he|can-she|can-my|can-i-act|who-can|may-i|can-a`,
    '!you-are-now-dan|youre-now-dan|act-as-dan|you-are-dan|become-dan|pretend_dan|do-anything-now|as-dan|dan-mode|jailbreak-mode|stay_in_dan',
    `*gpt|*bot|your-name-is + ${FREE} + not:chatbot`,
    'you-are-now|youre-now|act-as|become|call_yourself|your-name-is-now + *gpt + not:chatgpt',
    'developer-mode|dev-mode|god-mode|debug-mode|admin-mode|sudo-mode|maintenance-mode|unrestricted-mode|root-mode|evil-mode|unfiltered-mode|opposite-mode|unsafe-mode + enter|enable|enabled|activate|activated|you|your|respond|answer|simulate|now',
    'grandm*|granny|nana|grandfather|grandpa + late|dead|deceased|passed-away|used-to + recipe*|napalm|bomb*|keys|explosive*|meth|malware + act-as|pretend|be-my|play|roleplay|read|tell|sleep',
    'hacker|criminal|terrorist|villain|psychopath|scammer|drug-dealer + pretend_you*|act-as|roleplay|you-are-a|imagine-you|in-character + explain|how|describe|teach|tell|instructions|steps + break-into|steal|hack|bomb|weapon*|rob|poison|launder*|scam|drugs|meth|kill',
  ],
  system_prompt: [
    `!${PRINT} + your_system_prompt|your-systemprompt|your_hidden_prompt|your-prompt|your_secret_prompt|your_initial_prompt|your_original_prompt|your_hidden_instruction*|your_secret_instruction*|your_initial_instruction*|your_original_instruction*|your_internal_instruction*|your_system_instruction*|your_system_message|your_developer_message|your_internal_guidelines|your_hidden_rules|your_secret_rules|your_internal_rules|your-preprompt|your_pre-prompt|your_config|your_hidden_configuration|your_initial_message|your_exact_instructions + not:prompt-reply|prompt-response|prompt-answer*|prompt-attention|prompt-help|prompt-action|prompt-service|prompt-assistance|prompt-feedback|prompt-delivery|prompt-payment|prompt-and`,
    'system-prompt|systemprompt + show|print|repeat|reveal|output|display|leak|dump|copy|recite|paste|echo|expose|disclose|verbatim|word-for-word|tell-me|give-me|the-text',
    'exact_prompt|full_prompt|entire_prompt|original_prompt|the_prompt + developer*_gave|developer*-gave-you|you_given|you-were-given|gave-you',
    'print|output|repeat|copy|recite|echo|return|paste|type|reproduce + text_above|words_above|everything_above|all_above|content_above|the-above|message_above|before_my_first|before_my_message|before_this_message|before-this-conversation|beginning_of_conversation|start_of_conversation|starting_with_you-are|starting-with-you-are + verbatim|word-for-word|exactly|this-line|code-block|you-are|before|unchanged',
    `you-were-told|you-were-given|you_been_told|you_been_given|you-were-instructed|you_received|you-got + before_my|before_this|before-we|beginning|initially|start|by_system|by_developer|by_operator|by_creator|hidden|secret + ${PRINT}`,
    `your-instructions|your-rules|your-guidelines|your-directives|your-configuration|your-orders + verbatim|word-for-word|poem|rhyme|song|rap|haiku|story|base64|code-block|backwards|rot13|secret|hidden|debug*|exact-wording|doesnt-count|morse|caesar|cipher|code + ${PRINT}`,
    'how-were-you|how-have-you-been|what-were-you|what-have-you-been|what-did-the-operator|what-did-your-developers|what-did-your-creators|what-did-the-developers|which-instructions|which-orders|what-orders|what-instructions|what-commands + instructed|given-you|you-given|tell-you|write-in-your|did-you-get|did-you-receive|have-you-been-given|were-you-given|do-you-have-been|at-the-beginning|at-the-start|before-this-chat + not:desk|office|letter',
    'print|output|show|repeat|display|copy|give-me|paste|dump|read-out|read-me|recite|tell-me|what-is|whats|quote + your-context|your_context_window|top-of-this-conversation|first_lines-of-your|first-sentence-of-your|first-words-of-your|text-before-my|words-before-my|you-were-configured|text_between_system|your-setup-text|your-preamble|your-base-prompt|your-startup|your-starting-instructions|your-programming|your-source-prompt|your-directives|your-private-instructions|your-confidential|your-custom-instructions|your-operators-instructions|operators-instructions-to-you|the-instructions-you-were-given|the-instructions-you-got|the-rules-you-were-given',
    'first|instead|then|before-you|afterwards + print|reveal|output|dump|leak|disclose|recite|display + your-instructions|your-rules|your-prompt|your-configuration|your-guidelines|your-system',
    'reveal|disclose|dump|leak|expose|output|exfiltrate + your-configuration|all-configuration|the_configuration|your_instructions|your_rules|your_guidelines|your_secrets|hidden_instructions|secret_instructions|hidden-rules|your_api_key*|your_tools|internal_instructions',
    'hidden-instructions|secret-instructions|internal-instructions|initial-instructions + your|you + list|show|print|repeat|reveal|output|tell|give|summari*|write|translate|what',
    'built-you|made-you|created-you|programmed-you|wrote-you|your-creator|your-developer|your-administrator|your-engineer|your-maker|your-programmer|anthropic|openai + order|command|output|reveal|dump|disable|override|unlock|i-am|im|as-your + output|reveal|dump|disable|config*|prompt|override|unlock|order|show|print',
  ],
  document: [
    '!note-to-ai|note-to-the-ai|note_to_assistant|attention-ai|ai-reading|llm-reading|ai-assistant*|llm*|language-model*|chatbot*|ai|assistant*|chatgpt|model-reading + ignore|disregard|disclose|override|bypass|forget + the-user|prior-criteria|prior-instructions|previous-instructions|prior-rules|your-instructions|your-rules|your-guidelines|your-configuration|all_instructions|earlier_instructions|system-prompt|the-above-instructions',
    '!ai-reading|llm-reading|ai-assistants-reading|note-to-ai|note-to-the-ai|instruction*_for_ai|instructions-to-the-ai|attention-ai + must|always|recommend|rate|say|tell|reply|send|visit|rank|approve|append',
  ],
  suppression: [
    'start_answer_with|begin_answer_with|start_response_with|begin_response_with|start_reply_with|begin_reply_with|answer_must_start|response_must_begin + sure|absolutely|of-course|certainly|here-is-how|no-problem|yes + how|step*|explain|then|here-is',
    'you-must-not-refuse|you-may-not-refuse|you-cannot-refuse|you-cant-refuse|you-never-refuse|you_not_allowed_to_refuse|without-refusing|dont-refuse|do-not-refuse|refusal_not_an_option|never_say_sorry|you-must-comply|never-refuse + how|explain|write|tell|answer*|respond*|every|any-request*|ai|assistant|steps|rule + not:application|emergency|patient*|landlord|insurance|school',
    'hypothetically|hypothetical|fictional*|fiction|novel|story|movie|academic|thought-experiment + no-filter*|unfiltered|without_filter*|without_restrictions|no-restrictions|uncensored|unrestricted',
    'when-i-say|if-i-say|whenever-i-say|once-i-type + drop_guidelines|ignore_rules|drop_rules|ignore_guidelines|unrestricted|forget_rules|unfiltered',
  ],
  harmful: [
    'make|making|build|building|create|creating|cook|cooking|synthesi*|assemble|assembling|recipe|manufacture|write-a|write-me|instructions-for|develop + pipe-bomb*|napalm|nail-bomb*|car-bomb*|molotov*|thermite|nerve-agent*|nerve-gas|sarin|ricin|methamphetamine|crystal-meth|meth|ransomware|keylogger|malware|dirty-bomb*|homemade-bomb*|explosive-device*|botnet|ghost-gun*|mustard-gas|letter-bomb*|computer-virus',
    'write-a|write-me|create-a|compose|draft|design-a + phishing-email*|phishing-mail*|phishing-page|phishing-message|scam-email*',
    'how-do-i-forge|how-to-forge|how-would-you-forge|how-can-i-forge|how-to-counterfeit|how-do-i-counterfeit|how-would-you-counterfeit|how-to-fake-a|how_make_fake-passport|how_make_fake-id|how_make_counterfeit|steps_forge|explain_forge + permit*|passport*|licence*|license*|id-card|signature*|certificate*|banknotes|prescription*|money|documents|visa*|diploma',
    'how-to|how-do-i|how-can-i|how-would-you|explain|step*|teach + stalk-someone|stalk-a|stalk-my|hack-into|break-into-a|break-into-the|break-into-someone*|break_into_neighbour*|break_into_neighbor*|get-past-an-alarm|bypass_alarm|disable_alarm|spy-on-my|track_without_knowing|poison_someone|launder-money|make_untraceable|kill-someone|kill_without_caught',
  ],
  encoded: [
    'decode*|decipher*|decrypt*|base64|rot13|hex|morse|cipher*|encoded|caesar|binary + follow-it|obey*|execute-it|execute_bytes|execute_as|do-what-it-says|carry_out|act-on-it|run-it|as-an-instruction|as-instructions|comply-with-it|follow-what',
    'every_second_word|every-other-word|first-letter_of|last-letter_of|letters_of_each|concatenate*|join_strings|put_together + obey*|follow*|execute*|carry_out|comply*|do-what-it-says|do-it',
  ],
  never:
    'i-ignore|i-forget|we-ignore|we-forget|can-i-ignore|may-i-ignore|should-i-ignore|can-we-ignore|do-i-have-to|if-i-ignore|if-i-forget|happens_ignore|they-ignore|people-ignore|neighbours|neighbour|neighbors|neighbor|landlord|tenant*|drivers|cyclists|notice-says|letter-says|sign-says|contract|prompt-injection|what-does_mean|system-prompt-me|system-prompt-for|phone|android|tablet|iphone|router|laptop|my-own|protect*|prevent*|report*|avoid|detect*|recogni*|remove|history|historical|museum|memorial|exhibition|banned|i-received|we-received|have-received|just-received|victim*|my-account|our-account|bath-bomb*|locked-out|against|filter_application|who-decides|water-filter*',
}
