import type { PhraseRules } from '../phrase-rules.ts'

const POISON =
  'lixivia|agua_sanitaria|detergente|sabao|desentupidor|limpa*|produto*|amonia|acido|soda|anticongelante|gasolina|querosene|diluente|solvente|tinta|acetona|veneno|raticida|chumbinho|agrotoxico|pesticida*|inseticida|herbicida|cogumelo*|bagas|planta|comprimido*|remedio*|medicament*|pastilha*|calmante*|paracetamol|antidepressiv*|soniferos|pilha|pilhas|bateria|imas|iman*|nicotina|cola|liquido|alcool|gel|capsula*|insulina|droga*|frasco|caixa|cartela|cloro|desinfetante|limpeza|rato|dipirona|rivotril'
const WHO =
  'eu|meu|minha|meus|me|ele|ela|filho|filha|crianca|bebe|menino|menina|marido|mulher|esposa|esposo|mae|pai|irmao|irma|amigo|amiga|avo|vo|vizinho|vizinha|alguem|homem|namorado|namorada|companheir*|pessoa|tio|tia|colega|senhor*|nos|a|o|todos|primo|prima|cara|moca|neto|neta|sobrinh*'

export const PT: PhraseRules = {
  self_harm: [
    '!me_matar|matar_me|suicidar_me|se_matar|suicidar_se|me_suicidar|se_suicidar|enforcar_me|me_enforcar|se_enforcar|acabar_com_a_minha_vida|acabar_com_minha_vida|acabar_com_a_vida|tirar_a_minha_vida|tirar_minha_vida|tirar_a_propria_vida|acabar_com_tudo|por_fim_a_vida|dar_um_tiro_em_mim|por_termo_a_vida|vou_me_matar|vou_matar_me',
    '!nao_quero_mais_viver|nao_quero_viver|ja_nao_quero_viver|nao_quer_mais_viver|quero_morrer|queria_morrer|quer_morrer|vontade_de_morrer|sem_vontade_de_viver|nao_tenho_vontade_de_viver|nao_quero_acordar|melhor_mort*|melhor_sem_mim|carta_de_despedida|bilhete_de_despedida|mensagem_de_despedida|pensamentos_suicidas|ideias_suicidas|suicida|tentativa_de_suicidio|tentou_suicidio|cansad*_de_viver|sumir_para_sempre|nao_vale_a_pena_viver|nao_aguento_mais_viver|ninguem_vai_sentir_a_minha_falta',
    '!atirar|jogar|pular|saltar|pulo|atira|joga|atirar_se + ponte|janela|varanda|sacada|predio|telhado|comboio|trem|metro|andar|viaduto',
    '!esta|estou|ta|to|subiu + ponte|telhado|parapeito|beirada|trilhos|viaduto|varanda + pular|jogar|atirar|saltar|chora*|despedi*|quer|diz|ajuda',
    '!me_corto|cortar_me|me_cortando|a_cortar_me|cortei_os_pulsos|cortar_os_pulsos|me_cortei|me_mutilo',
    '!comprimidos_todos|remedios_todos|corda_no_pescoco|arma_na_cabeca|adeus_a_todos|despedi_me_de_todos|me_despedi_de_todos',
    'nao_aguento_mais|nao_aguento|nao_posso_mais + viver|vida|morrer|comprimidos|remedios|adeus|acabar|despedida|tomei',
    '!tira_a_propria_vida|tira_a_vida_dele',
    '!meu_ultimo_dia + decidi|decidido|adeus|comprimidos',
    '!se_eu_nao_existisse|se_eu_nao_estivesse_aqui|nao_quero_mais_existir|nao_quero_existir|melhor_se_eu_nao',
    '!nao_quero_mais_estar_aqui|nao_quero_estar_aqui + tomar|comprimidos|remedios|frasco|adeus|acabar',
    '!corta|cortando|cortou|cortei + os_bracos|os_pulsos|as_veias|as_pernas',
    '!nao_procurar|nao_me_procurem|nao_a_procurarmos + ama*|desculp*|perd*|atende|adeus',
  ],
  poisoning: [
    `!beb*|bebeu|tomou|tomei|engoli*|ingeri*|comeu|comi|comeram|inal*|cheirou|respirou|lambeu|bebi + ${POISON} + ${WHO}`,
    `!overdose|intoxic*|envenen* + ${WHO} + acho|esta|ta|foi|mal|vomit*|com|por|depois|sobredose|estamos`,
    '!monoxido|cheiro_de_gas|cheiro_a_gas|cheira_a_gas|fuga_de_gas|vazamento_de_gas + cabeca|casa|forte|cozinha|tont*|alarme|todos|agora|apartamento',
    '!espumando|espuma_na_boca|espuma_pela_boca',
    '!beb*|engoliu|engoli + lava_tudo|amaciante|amaciador|alvejante|perfume|removedor|detergente',
    '!na_boca|engoliu|engoli + pilha*|bateria|iman*|moeda',
    '!mistur* + lixivia|agua_sanitaria|amonia*|cloro + toss*|respir*|tont*|olhos|garganta',
    '!comi|comeu|comemos|comeram + cogumelo*|bagas|peixe_balao + vomit*|mal|tont*|barriga',
    '!esquentador|caldeira|aquecedor|braseira + dor_de_cabeca|tont*|enjo*|vomit* + todos|estamos|familia|criancas',
  ],
  acute_illness: [
    '!nao_respira|nao_consegue_respirar|nao_consigo_respirar|nao_ta_respirando|nao_esta_respirando|nao_esta_a_respirar|parou_de_respirar|falta_de_ar|respirar_mal|dificuldade_respirar|dificuldade_em_respirar|sufoc*|engasg*|sem_ar|mal_respira',
    '!dor_no_peito|dor_forte_no_peito|dores_no_peito|aperto_no_peito|pressao_no_peito|dor_peito|doi_o_peito|peito_doendo|pontada_no_peito|dor_braco_esquerdo|peito_a_doer',
    `enfarte|infarto|avc|derrame|ataque_cardiaco|parada_cardiaca + acho|tendo|ter|agora|ajuda|deve_ser|esta_com + ${WHO}`,
    `!desmai*|inconsciente|perdeu_os_sentidos|perdeu_a_consciencia|nao_responde|nao_reage|nao_acorda|nao_se_mexe|nao_se_move|sem_pulso|desacordad*|caiu_duro|caiu_no_chao|apagou + ${WHO}`,
    '!convuls*|ataque_epiletico|crise_epileptica|ataque_epileptico|tremendo_todo + minutos|filh*|bebe|esta|ta|ajuda|crianca|para|chao|ele|ela',
    '!sangr*|sangue|hemorragia + muito|cabeca|para|parar|perdendo|perder|gravida|vomit*|tossi*|todo_lado|jorr*|fund*|estanca*|perna',
    '!boca_torta|cara_torta|rosto_torto|metade_do_rosto|lado_do_rosto|fala_enrolada|falar_esquisito|falando_esquisito|falar_estranho|nao_consegue_falar|braco_dormente|nao_mexe_o_braco|paralisad*|nao_sente_o_braco|boca_de_lado|falando_enrolado|nao_consegue_mexer',
    '!anafila*|choque_alergico|alergi*|vespa*|abelha* + garganta|lingua|inch*|respir*|choque|rosto|labios|anafila*',
    '!labios_roxos|labios_azuis|ficou_roxo|ficando_roxo|a_ficar_roxo|ficou_azul|esta_roxo|ta_roxo|a_ficar_azul',
    'contracoes|bolsa_estourou|rebentaram_as_aguas|rebentou_a_bolsa|parto|dar_a_luz|nascendo + minutos|agora|sozinha|ajuda|carro|hospital|esta|nascer',
    '!caiu|queda|atropel*|acidente|preso|presa|esmagad* + mexe|inconsciente|sangr*|respira|responde|cabeca|ferid*|ferrag*|ajuda|escada*|pescoco|grave|andar',
    '!afog*|choque_eletrico|eletrocut*|queim*|agua_fervente|agua_a_ferver|cobra|vibora|escorpiao|insolacao|hipotermia + crianca|filh*|bebe|respir*|ajuda|piscina|mao|rosto|perna|braco|picad*|mord*|pele|mar|ele|ela|grave',
    'febre|diabetic*|hipoglicemia|asma|meningite + inconsciente|convuls*|nao_acorda|nao_responde|bombinha|bomba|respir*|confus*|manchas|rigid*',
    '!incendio|pegando_fogo|a_arder|casa_em_chamas|fogo_na|fumo_por_todo|fumaca_por_todo|em_chamas + agora|pres*|ajuda|casa|cozinha|predio|apartamento|dentro|criancas',
    '!trabalho_de_parto|bebe_saindo|bebe_a_sair|bebe_nascendo + saindo|sair|sozinha|agora|ajuda|carro',
    '!nao_sente_as_pernas|nao_sinto_as_pernas|nao_mexe_as_pernas',
  ],
  violence: [
    '!bater_me|batendo|bate|bateu|espanc*|estrangul*|violar|estupr*|agred*|agredindo|ameac*|esfaque*|atacar|atacando|enforcando|soco|socos|assaltando|a_bater|a_assaltar|apanhando|batendo_em + me|mim|nos|minha|mae|mulher|vizinha|alguem|irma|a|na|em|gente|pessoas + marido|companheiro|ex|namorado|pai|ele|homem|agora|ajuda|cara|irmao|vizinho|estao|esta|padrasto|socorro|ta|sendo|sou',
    '!me_matar|me_mata|matar_me|nos_matar|vai_me_matar|vai_matar_me|matar_a_minha|mata_la|matar_todos + ele|marido|ex|companheiro|namorado|disse|ameaca|quer|vai|pai|homem|socorro',
    '!homem|cara|tipo|alguem|rapaz|individuo|vizinho|mulher|ex|sujeito|pessoa|gajo + arma|pistola|faca|facao|machado|armado|revolver|espingarda|bomba|canivete|armada + com|tem|ha|ameac*|entrou|na|no|fora|rua|aponta*|dentro|aqui',
    '!arrombando|arrombar|partir|quebrando|pontapes|chutando|batendo + porta|janela + ex|marido|alguem|ele|ajuda|medo|homem|minha|meu',
    '!tiros|tiroteio|estao_atirando|a_disparar|atirando|refem|refens|sequestr*|rapt*|estao_me_assaltando|sendo_assaltad*|a_ser_assaltad*|ladrao|ladroes|entraram_em_casa|alguem_em_casa|invadiram|invasor + agora|ajuda|casa|dentro|escola|rua|aqui|escondid*|ouvi*|ouco|na|no|estou|minha|shopping|perto',
    '!trancad*|nao_me_deixa_sair|nao_me_deixa_ir|me_seguindo|a_seguir_me|me_perseguindo|a_perseguir_me|escondid*|temo_pela_minha_vida|medo_de_morrer|estou_em_perigo|presa_em_casa|fechad* + marido|companheiro|ex|ele|homem|ajuda|namorado|medo|banheiro|casa_de_banho|alguem|perigo|pai|socorro|quarto',
    '!gritos|gritaria + matando|matar_a|batendo|bater_nela|socorro|a_matar',
    '!alguem_tent*|alguem_esta|estao_tentando|estao_a_tentar|alguem_quer|homem_tent* + entrar_em_casa|entrar_minha_casa|arrombar|entrar_na_minha_casa',
    '!me_seguindo|a_seguir_me|nos_seguindo + homens|homem|cara|caras|tipos|gajo*',
    '!trancou_nos|trancou_me|me_trancou|nos_trancou|trancou_nos_em_casa + espingarda|arma|pistola|faca|marido|pai|padrasto|ex|namorado|casa',
  ],
  never:
    'cursos_de_primeiros_socorros|curso_de_primeiros_socorros|computador_nao_responde|site_nao_responde|estatistica*|quantos_casos|numero_de|ha_dez_anos|anos_atras|ha_anos|filme*|romance|serie_de|jogo_de|videojogo*|escape_room|expressao|morri_de_rir|kkk*|rsrs*|peca_de_teatro|novela',
  unless:
    'subsidio*|estudo|pesquisa|investigacao|tese|curso*|formacao|oficina|seguro|indenizacao|indemnizacao|requerimento|pedido_de|formulario|certificado|atestado|carta_de_conducao|carteira|declarar|link|pagina|site|processo|servidor|prazo|estacionamento|horario*|arquivo|museu|exposicao|prevencao|lei|pena|folheto|cartaz|ano_passado|pensao|reforma|aposentadoria|bilhetes|ingressos|concerto|show|festa|festival|historia|associac*|fatura|reembolso|regras|permitido|permissao|relatorio|palestra|fila|telemovel|celular|computador|bateria_acabou|aplicativo|cobre|boletim|vaga|em_2*|em_1*',
  misspelt:
    'suicidar matar comprimidos remedios lixivia respira respirando desmaiou inconsciente convulsao sangrando sangue faca pistola batendo estrangulando intoxicado envenenado engoliu bebeu enfarte infarto engasgado ameaca veneno detergente',
}
